ALTER TABLE "payouts" ALTER COLUMN "payment_hash" DROP NOT NULL;--> statement-breakpoint
CREATE INDEX "payouts_release" ON "payouts" USING btree ("project_id") WHERE "payouts"."kind" = 'release';--> statement-breakpoint
CREATE INDEX "payments_late" ON "payments" USING btree ("account") WHERE "payments"."held_drops" > 0 and "payments"."reason" = 'late_discovery';--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_of_a_payment" CHECK (("payouts"."kind" = 'release') = ("payouts"."payment_hash" is null));