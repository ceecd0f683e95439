-- Who has millions of events builds these beforehand without a lock (docs/operations.md#database).
ALTER TABLE "events" ADD COLUMN IF NOT EXISTS "list_position" bigint;--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS "events_list" ON "events" USING btree ("list_position") WHERE "events"."list_position" is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "events_to_list" ON "events" USING btree ("sequence") WHERE "events"."list_position" is null and "events"."fanned_out" and not "events"."is_test" and "events"."pruned_at" is null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "events_pruned" ON "events" USING btree ("list_position") WHERE "events"."pruned_at" is not null;