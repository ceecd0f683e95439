ALTER TABLE "webhooks" ADD COLUMN "min_amount_drops" bigint;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "statuses" text[];