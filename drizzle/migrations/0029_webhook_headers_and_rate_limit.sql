ALTER TABLE "webhooks" ADD COLUMN "sealed_headers" text;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "header_names" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "rate_limit" integer;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "paced_until" timestamp with time zone;