CREATE TABLE "delivery_minutes" (
	"minute" timestamp with time zone NOT NULL,
	"outcome" text NOT NULL,
	"below_ms" integer NOT NULL,
	"attempts" integer NOT NULL,
	CONSTRAINT "delivery_minutes_minute_outcome_below_ms_pk" PRIMARY KEY("minute","outcome","below_ms")
);
--> statement-breakpoint
ALTER TABLE "health_states" ADD COLUMN "suspected_since" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "delivery_attempts_time" ON "delivery_attempts" USING btree ("started_at");--> statement-breakpoint
CREATE INDEX "payouts_states" ON "payouts" USING btree ("status","due_at") WHERE "payouts"."status" not in ('validated', 'failed', 'cancelled');