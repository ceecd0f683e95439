ALTER TABLE "deliveries" ADD COLUMN "cancel_reason" text;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "inactive_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "first_success_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "webhooks_inactive" ON "webhooks" USING btree ("inactive_since") WHERE "webhooks"."inactive_since" is not null;--> statement-breakpoint
-- Written by hand from here on.
-- What was there before and does not fail is not taken for new; what the platform switched off tells what it misses.
UPDATE "webhooks" SET "first_success_at" = CASE WHEN "failing_since" IS NULL THEN "created_at" END, "inactive_since" = "disabled_at"
WHERE "deleted_at" IS NULL AND ("failing_since" IS NULL OR "disabled_at" IS NOT NULL);
