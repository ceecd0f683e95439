ALTER TABLE "projects" ADD COLUMN "investors" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "investors_drops" bigint DEFAULT 0 NOT NULL;