DROP INDEX "deliveries_due";--> statement-breakpoint
CREATE INDEX "deliveries_due" ON "deliveries" USING btree ("due_at") WHERE "deliveries"."status" in ('pending', 'retrying') and "deliveries"."due_at" is not null;--> statement-breakpoint
-- Each claim walks over the dead entries of what was delivered since the last vacuum: a fifth of a large table is too many.
ALTER TABLE "deliveries" SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
