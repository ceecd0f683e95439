ALTER TABLE "payouts" DROP CONSTRAINT "payouts_of_a_payment";--> statement-breakpoint
ALTER TABLE "payouts" ADD COLUMN "locked_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "unsold_until" timestamp with time zone;--> statement-breakpoint
CREATE UNIQUE INDEX "payouts_one_lock" ON "payouts" USING btree ("project_id","part") WHERE "payouts"."kind" = 'lock';--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_locked" CHECK (case when "payouts"."kind" = 'lock' then "payouts"."locked_until" is not null and "payouts"."project_id" is not null and "payouts"."destination" = "payouts"."account" and "payouts"."destination_tag" is null else "payouts"."locked_until" is null end) NOT VALID;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_of_a_payment" CHECK (("payouts"."kind" in ('release', 'lock')) = ("payouts"."payment_hash" is null)) NOT VALID;
-- Every row from before keeps both: there was no lock, and the constraint dropped here asked for more. To read a large table for that
-- would keep payouts waiting.