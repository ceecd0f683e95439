ALTER TABLE "payout_attempts" ADD COLUMN "destination" text;--> statement-breakpoint
ALTER TABLE "payout_attempts" ADD COLUMN "drops" bigint;--> statement-breakpoint
ALTER TABLE "payout_attempts" ADD CONSTRAINT "payout_attempts_drops" CHECK (("payout_attempts"."destination" is null) = ("payout_attempts"."drops" is null) and "payout_attempts"."drops" >= 0) NOT VALID;
-- Every row from before keeps it: both columns are new. To read a large table for that would keep payouts waiting.
