CREATE TABLE "distributor_cursors" (
	"address" text PRIMARY KEY NOT NULL,
	"cursor_ledger" bigint NOT NULL,
	"cursor_hash" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "unknown_transfers" (
	"tx_hash" text NOT NULL,
	"account" text NOT NULL,
	"ledger_index" bigint NOT NULL,
	"closed_at" timestamp with time zone NOT NULL,
	"transaction_type" text NOT NULL,
	"destination" text,
	"destination_tag" bigint,
	"delivered" text,
	"payout_id" text,
	"explained" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "unknown_transfers_account_tx_hash_pk" PRIMARY KEY("account","tx_hash")
);
--> statement-breakpoint
ALTER TABLE "unknown_transfers" ADD CONSTRAINT "unknown_transfers_payout_id_payouts_id_fk" FOREIGN KEY ("payout_id") REFERENCES "public"."payouts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "unknown_transfers_payout" ON "unknown_transfers" USING btree ("payout_id");--> statement-breakpoint
CREATE INDEX "unknown_transfers_open" ON "unknown_transfers" USING btree ("account","ledger_index") WHERE not "unknown_transfers"."explained";--> statement-breakpoint
CREATE INDEX "payments_held_amount" ON "payments" USING btree ("held_drops","ledger_index","transaction_index") WHERE "payments"."held_drops" > 0;