ALTER TABLE "payouts" ADD COLUMN "escrow_sequence" bigint;--> statement-breakpoint
ALTER TABLE "payouts" ADD COLUMN "escrow_finish_after" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_escrow" CHECK (case when "payouts"."escrow_sequence" is null then "payouts"."escrow_finish_after" is null else "payouts"."kind" = 'lock' and "payouts"."status" = 'validated' and "payouts"."escrow_sequence" > 0 and "payouts"."escrow_finish_after" is not null and "payouts"."escrow_finish_after" >= "payouts"."locked_until" end) NOT VALID;
-- Every row from before keeps it: both columns are new. To read a large table for that would keep payouts waiting.
