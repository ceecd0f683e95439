DROP INDEX "audit_entries_time";--> statement-breakpoint
DROP INDEX "payouts_unfinished";--> statement-breakpoint
DROP INDEX "payouts_states";--> statement-breakpoint
ALTER TABLE "payout_attempts" ADD COLUMN "submitted_ledger" bigint;--> statement-breakpoint
ALTER TABLE "ticket_requests" ADD COLUMN "submitted_ledger" bigint;--> statement-breakpoint
ALTER TABLE "moves" ADD COLUMN "submitted_ledger" bigint;--> statement-breakpoint
CREATE INDEX "audit_entries_in_order" ON "audit_entries" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "payouts_in_order" ON "payouts" USING btree ("due_at","id");--> statement-breakpoint
CREATE INDEX "payouts_unfinished" ON "payouts" USING btree ("due_at","id") WHERE "payouts"."status" not in ('validated', 'cancelled');--> statement-breakpoint
CREATE INDEX "payouts_states" ON "payouts" USING btree ("status","due_at") WHERE "payouts"."status" not in ('validated', 'cancelled');