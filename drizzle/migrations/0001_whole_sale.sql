CREATE TABLE "account_changes" (
	"tx_hash" text NOT NULL,
	"account" text NOT NULL,
	"ledger_index" bigint NOT NULL,
	"transaction_index" integer NOT NULL,
	"closed_at" timestamp with time zone NOT NULL,
	"transaction_type" text NOT NULL,
	"change_drops" bigint NOT NULL,
	"fee_drops" bigint NOT NULL,
	"ours" boolean NOT NULL,
	CONSTRAINT "account_changes_account_tx_hash_pk" PRIMARY KEY("account","tx_hash")
);
--> statement-breakpoint
CREATE TABLE "list_entries" (
	"list_id" text NOT NULL,
	"wallet_address" text NOT NULL,
	"cap_drops" bigint,
	CONSTRAINT "list_entries_list_id_wallet_address_pk" PRIMARY KEY("list_id","wallet_address"),
	CONSTRAINT "list_entries_cap" CHECK ("list_entries"."cap_drops" is null or "list_entries"."cap_drops" > 0)
);
--> statement-breakpoint
CREATE TABLE "lists" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"version" integer NOT NULL,
	"status" text DEFAULT 'draft' NOT NULL,
	"entries" integer DEFAULT 0 NOT NULL,
	"hash" text,
	"committed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "lists_committed_whole" CHECK (("lists"."status" = 'committed') = ("lists"."hash" is not null)),
	CONSTRAINT "lists_size" CHECK ("lists"."entries" between 0 and 100000)
);
--> statement-breakpoint
DROP INDEX "payouts_due";--> statement-breakpoint
ALTER TABLE "deposit_accounts" ADD COLUMN "booked_drops" bigint;--> statement-breakpoint
ALTER TABLE "deposit_accounts" ADD COLUMN "difference_drops" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "deposit_accounts" ADD COLUMN "reconciled_ledger" bigint;--> statement-breakpoint
ALTER TABLE "investments" ADD COLUMN "payouts_planned" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "investments" ADD COLUMN "unwound" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "moves" ADD COLUMN "list_hash" text;--> statement-breakpoint
ALTER TABLE "moves" ADD COLUMN "payment_hash" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "transaction_type" text DEFAULT 'Payment' NOT NULL;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "list_hash" text;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "end_reason" text;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "unwound_drops" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "unwound_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "account_changes" ADD CONSTRAINT "account_changes_account_deposit_accounts_address_fk" FOREIGN KEY ("account") REFERENCES "public"."deposit_accounts"("address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "list_entries" ADD CONSTRAINT "list_entries_list_id_lists_id_fk" FOREIGN KEY ("list_id") REFERENCES "public"."lists"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lists" ADD CONSTRAINT "lists_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_changes_foreign" ON "account_changes" USING btree ("account","ledger_index") WHERE not "account_changes"."ours";--> statement-breakpoint
CREATE UNIQUE INDEX "lists_version" ON "lists" USING btree ("project_id","version");--> statement-breakpoint
CREATE UNIQUE INDEX "lists_hash" ON "lists" USING btree ("project_id","hash");--> statement-breakpoint
CREATE INDEX "allocations_wallet" ON "allocations" USING btree ("project_id","investor_account");--> statement-breakpoint
CREATE INDEX "investments_unplanned" ON "investments" USING btree ("project_id","id") WHERE not "investments"."payouts_planned";--> statement-breakpoint
CREATE INDEX "payments_held" ON "payments" USING btree ("ledger_index","transaction_index") WHERE "payments"."held_drops" > 0;--> statement-breakpoint
CREATE INDEX "payouts_due" ON "payouts" USING btree ("account","due_at","next_check_at") WHERE "payouts"."status" in ('scheduled', 'waiting_holder', 'ready');