DROP INDEX "deliveries_waiting";--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "event_sequence" bigint;--> statement-breakpoint
UPDATE "deliveries" AS d SET "event_sequence" = e."sequence" FROM "events" AS e WHERE e."id" = d."event_id";--> statement-breakpoint
ALTER TABLE "deliveries" ALTER COLUMN "event_sequence" SET NOT NULL;--> statement-breakpoint
-- Events that are there already were written with their deliveries.
ALTER TABLE "events" ADD COLUMN "fanned_out" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "events" ALTER COLUMN "fanned_out" SET DEFAULT false;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "fanned_out_through" text;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "host" text;--> statement-breakpoint
UPDATE "webhooks" SET "host" = rtrim(substring(lower("url") from '^https?://(\[[^\]]*\]|[^/?#:]*)'), '.');--> statement-breakpoint
ALTER TABLE "webhooks" ALTER COLUMN "host" SET NOT NULL;--> statement-breakpoint
CREATE INDEX "events_to_fan_out" ON "events" USING btree ("sequence") WHERE not "events"."fanned_out";--> statement-breakpoint
CREATE INDEX "webhooks_host" ON "webhooks" USING btree ("host") WHERE "webhooks"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "deliveries_waiting" ON "deliveries" USING btree ("webhook_id","event_sequence") WHERE "deliveries"."status" = 'pending';
