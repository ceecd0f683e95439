CREATE TABLE "payout_counts" (
	"account" text NOT NULL,
	"kind" text NOT NULL,
	"outcome" text NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"count" bigint NOT NULL,
	CONSTRAINT "payout_counts_account_kind_outcome_reason_pk" PRIMARY KEY("account","kind","outcome","reason")
);
--> statement-breakpoint
ALTER TABLE "metric_counts" ADD COLUMN "payouts_read" jsonb DEFAULT '{}'::jsonb NOT NULL;