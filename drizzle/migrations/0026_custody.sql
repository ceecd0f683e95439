CREATE TABLE "ticket_assignments" (
	"account" text NOT NULL,
	"ticket" bigint NOT NULL,
	"purpose" text NOT NULL,
	"payout_id" text,
	"request_hash" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ticket_assignments_account_ticket_request_hash_pk" PRIMARY KEY("account","ticket","request_hash")
);
--> statement-breakpoint
DROP INDEX "ticket_requests_one_open";--> statement-breakpoint
ALTER TABLE "actions" ADD COLUMN "signers" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "deposit_accounts" ADD COLUMN "custody" jsonb;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "custody" jsonb;--> statement-breakpoint
ALTER TABLE "ticket_assignments" ADD CONSTRAINT "ticket_assignments_payout_id_payouts_id_fk" FOREIGN KEY ("payout_id") REFERENCES "public"."payouts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_assignments" ADD CONSTRAINT "ticket_assignments_request_hash_ticket_requests_tx_hash_fk" FOREIGN KEY ("request_hash") REFERENCES "public"."ticket_requests"("tx_hash") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ticket_assignments_payout" ON "ticket_assignments" USING btree ("payout_id");--> statement-breakpoint
CREATE INDEX "ticket_assignments_purpose" ON "ticket_assignments" USING btree ("account","purpose");--> statement-breakpoint
CREATE UNIQUE INDEX "ticket_requests_one_open" ON "ticket_requests" USING btree ("account","sequence") WHERE "ticket_requests"."status" = 'open';