ALTER TABLE "payouts" DROP CONSTRAINT "payouts_of_a_payment";--> statement-breakpoint
ALTER TABLE "payouts" DROP CONSTRAINT "payouts_locked";--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "vesting_locked" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "payouts_one_unlock" ON "payouts" USING btree ("project_id","part") WHERE "payouts"."kind" = 'unlock';--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_of_a_payment" CHECK (("payouts"."kind" in ('release', 'lock', 'unlock')) = ("payouts"."payment_hash" is null)) NOT VALID;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_locked" CHECK (case when "payouts"."kind" in ('lock', 'unlock') then "payouts"."locked_until" is not null and "payouts"."project_id" is not null and "payouts"."destination" = "payouts"."account" and "payouts"."destination_tag" is null else "payouts"."locked_until" is null end) NOT VALID;
-- Every row from before keeps both: there was no unlock. To read a large table for that would keep payouts waiting.
