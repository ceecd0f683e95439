CREATE TABLE "api_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"key_hash" text NOT NULL,
	"prefix" text NOT NULL,
	"name" text,
	"wallet_address" text NOT NULL,
	"wallet_verified" boolean DEFAULT false NOT NULL,
	"scopes" text[] NOT NULL,
	"expires_at" timestamp with time zone,
	"last_used_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "api_keys_keyHash_unique" UNIQUE("key_hash")
);
--> statement-breakpoint
CREATE TABLE "audit_entries" (
	"id" text PRIMARY KEY NOT NULL,
	"actor" text NOT NULL,
	"action" text NOT NULL,
	"subject" text NOT NULL,
	"reason" text NOT NULL,
	"before" jsonb,
	"after" jsonb,
	"request_id" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tenants" (
	"id" text PRIMARY KEY NOT NULL,
	"proven_wallet" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "tenants_provenWallet_unique" UNIQUE("proven_wallet")
);
--> statement-breakpoint
CREATE TABLE "deliveries" (
	"id" text PRIMARY KEY NOT NULL,
	"event_id" text NOT NULL,
	"webhook_id" text NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"next_attempt" integer DEFAULT 1 NOT NULL,
	"due_at" timestamp with time zone DEFAULT now(),
	"leased_until" timestamp with time zone,
	"sweeps" integer DEFAULT 0 NOT NULL,
	"response_code" integer,
	"duration_ms" integer,
	"delivered_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "deliveries_attempts" CHECK ("deliveries"."next_attempt" between 1 and 8)
);
--> statement-breakpoint
CREATE TABLE "delivery_attempts" (
	"id" text PRIMARY KEY NOT NULL,
	"delivery_id" text NOT NULL,
	"attempt" integer NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"duration_ms" integer,
	"response_code" integer,
	"error_kind" text,
	"response_body" text,
	"retry_after" text
);
--> statement-breakpoint
CREATE TABLE "events" (
	"id" text PRIMARY KEY NOT NULL,
	"sequence" bigserial NOT NULL,
	"type" text NOT NULL,
	"project_id" text,
	"body" text NOT NULL,
	"is_test" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "events_sequence_unique" UNIQUE("sequence")
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"url" text NOT NULL,
	"events" text[] NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"project_id" text,
	"sealed_secret" text NOT NULL,
	"api_version" text NOT NULL,
	"deleted_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "leases" (
	"name" text PRIMARY KEY NOT NULL,
	"holder" text,
	"leased_until" timestamp with time zone,
	"slice" bigint DEFAULT 0 NOT NULL,
	"last_started_at" timestamp with time zone,
	"last_finished_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "payout_attempts" (
	"tx_hash" text PRIMARY KEY NOT NULL,
	"payout_id" text NOT NULL,
	"attempt" integer NOT NULL,
	"account" text NOT NULL,
	"tx_blob" text NOT NULL,
	"ticket" bigint NOT NULL,
	"fee_drops" bigint NOT NULL,
	"first_ledger" bigint NOT NULL,
	"last_ledger_sequence" bigint NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"engine_result" text,
	"ledger_index" bigint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payouts" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"project_id" text,
	"investment_id" text,
	"payment_hash" text NOT NULL,
	"part" integer DEFAULT 1 NOT NULL,
	"account" text NOT NULL,
	"destination" text NOT NULL,
	"destination_tag" bigint,
	"amount" bigint NOT NULL,
	"status" text DEFAULT 'scheduled' NOT NULL,
	"reason" text,
	"due_at" timestamp with time zone NOT NULL,
	"next_check_at" timestamp with time zone DEFAULT now() NOT NULL,
	"tx_hash" text,
	"ledger_index" bigint,
	"validated_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payouts_positive" CHECK ("payouts"."amount" > 0)
);
--> statement-breakpoint
CREATE TABLE "ticket_requests" (
	"tx_hash" text PRIMARY KEY NOT NULL,
	"account" text NOT NULL,
	"tx_blob" text NOT NULL,
	"count" integer NOT NULL,
	"sequence" bigint NOT NULL,
	"first_ledger" bigint NOT NULL,
	"last_ledger_sequence" bigint NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "allocations" (
	"investment_id" text NOT NULL,
	"project_id" text NOT NULL,
	"tier" integer NOT NULL,
	"investor_account" text NOT NULL,
	"amount_drops" bigint NOT NULL,
	"units" bigint NOT NULL,
	CONSTRAINT "allocations_investment_id_tier_pk" PRIMARY KEY("investment_id","tier"),
	CONSTRAINT "allocations_positive" CHECK ("allocations"."units" > 0 and "allocations"."amount_drops" > 0)
);
--> statement-breakpoint
CREATE TABLE "deposit_accounts" (
	"address" text PRIMARY KEY NOT NULL,
	"network_id" bigint NOT NULL,
	"registered_ledger" bigint NOT NULL,
	"cursor_ledger" bigint NOT NULL,
	"cursor_hash" text NOT NULL,
	"confirmed_ledger" bigint NOT NULL,
	"halted" boolean DEFAULT false NOT NULL,
	"refund_min_drops" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "deposit_accounts_order" CHECK ("deposit_accounts"."confirmed_ledger" <= "deposit_accounts"."cursor_ledger")
);
--> statement-breakpoint
CREATE TABLE "investments" (
	"id" text PRIMARY KEY NOT NULL,
	"tx_hash" text NOT NULL,
	"project_id" text NOT NULL,
	"investor_account" text NOT NULL,
	"amount_drops" bigint NOT NULL,
	"status" text DEFAULT 'pending_confirmation' NOT NULL,
	"quote_tier" integer NOT NULL,
	"quote_price" numeric(30, 0) NOT NULL,
	"quote_units" bigint NOT NULL,
	"confirmed_drops" bigint,
	"total_units" bigint,
	"units_to_distribute" bigint,
	"rounding_drops" bigint,
	"reason" text,
	"paid_at" timestamp with time zone NOT NULL,
	"confirmed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "investments_txHash_unique" UNIQUE("tx_hash"),
	CONSTRAINT "investments_confirmed_whole" CHECK ("investments"."status" <> 'confirmed' or ("investments"."confirmed_drops" is not null and "investments"."total_units" > 0 and "investments"."confirmed_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "moves" (
	"tx_hash" text PRIMARY KEY NOT NULL,
	"account" text NOT NULL,
	"project_id" text NOT NULL,
	"move" text NOT NULL,
	"terms_hash" text,
	"status" text NOT NULL,
	"tx_blob" text,
	"sequence" bigint,
	"last_ledger_sequence" bigint,
	"ledger_index" bigint,
	"transaction_index" integer,
	"closed_at" timestamp with time zone,
	"detail" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"tx_hash" text PRIMARY KEY NOT NULL,
	"account" text NOT NULL,
	"ledger_index" bigint NOT NULL,
	"transaction_index" integer NOT NULL,
	"closed_at" timestamp with time zone NOT NULL,
	"sender" text NOT NULL,
	"destination_tag" bigint,
	"source_tag" bigint,
	"received_drops" bigint NOT NULL,
	"project_id" text,
	"outcome" text DEFAULT 'pending' NOT NULL,
	"reason" text,
	"invested_drops" bigint DEFAULT 0 NOT NULL,
	"refunded_drops" bigint DEFAULT 0 NOT NULL,
	"held_drops" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payments_conserved" CHECK ("payments"."outcome" = 'pending' or "payments"."received_drops" = "payments"."invested_drops" + "payments"."refunded_drops" + "payments"."held_drops"),
	CONSTRAINT "payments_positive" CHECK ("payments"."invested_drops" >= 0 and "payments"."refunded_drops" >= 0 and "payments"."held_drops" >= 0)
);
--> statement-breakpoint
CREATE TABLE "projects" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"slug" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"website" text,
	"logo" text,
	"status" text DEFAULT 'draft' NOT NULL,
	"token_kind" text NOT NULL,
	"currency" text,
	"issuer" text,
	"issuance_id" text,
	"decimals" integer NOT NULL,
	"distributor" text NOT NULL,
	"deposit_address" text NOT NULL,
	"destination_tag" bigint NOT NULL,
	"starts_at" timestamp with time zone,
	"ends_at" timestamp with time zone,
	"soft_cap_drops" bigint,
	"min_investment_drops" bigint,
	"max_per_wallet_drops" bigint,
	"access" text DEFAULT 'open' NOT NULL,
	"distribution" text DEFAULT 'immediate' NOT NULL,
	"vesting" jsonb NOT NULL,
	"treasury" text,
	"claim_days" integer DEFAULT 90 NOT NULL,
	"refund_min_drops" bigint NOT NULL,
	"raised_drops" bigint DEFAULT 0 NOT NULL,
	"terms" text,
	"terms_hash" text,
	"launched_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "projects_slug_unique" UNIQUE("slug"),
	CONSTRAINT "projects_tag" UNIQUE("deposit_address","destination_tag"),
	CONSTRAINT "projects_tag_range" CHECK ("projects"."destination_tag" between 1 and 4294967295),
	CONSTRAINT "projects_decimals" CHECK ("projects"."decimals" between 0 and 6),
	CONSTRAINT "projects_token" CHECK (("projects"."token_kind" = 'iou' and "projects"."currency" is not null and "projects"."issuer" is not null) or ("projects"."token_kind" = 'mpt' and "projects"."issuance_id" is not null))
);
--> statement-breakpoint
CREATE TABLE "tiers" (
	"project_id" text NOT NULL,
	"tier" integer NOT NULL,
	"price" numeric(30, 0) NOT NULL,
	"total_units" bigint NOT NULL,
	"sold_units" bigint DEFAULT 0 NOT NULL,
	"value_drops" bigint DEFAULT 0 NOT NULL,
	"access" text DEFAULT 'open' NOT NULL,
	"starts_at" timestamp with time zone,
	"opened_at" timestamp with time zone,
	"completed_at" timestamp with time zone,
	CONSTRAINT "tiers_project_id_tier_pk" PRIMARY KEY("project_id","tier"),
	CONSTRAINT "tiers_never_oversold" CHECK ("tiers"."sold_units" between 0 and "tiers"."total_units"),
	CONSTRAINT "tiers_positive" CHECK ("tiers"."price" > 0 and "tiers"."total_units" > 0)
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "delivery_attempts" ADD CONSTRAINT "delivery_attempts_delivery_id_deliveries_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."deliveries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_attempts" ADD CONSTRAINT "payout_attempts_payout_id_payouts_id_fk" FOREIGN KEY ("payout_id") REFERENCES "public"."payouts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_investment_id_investments_id_fk" FOREIGN KEY ("investment_id") REFERENCES "public"."investments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_payment_hash_payments_tx_hash_fk" FOREIGN KEY ("payment_hash") REFERENCES "public"."payments"("tx_hash") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "allocations" ADD CONSTRAINT "allocations_investment_id_investments_id_fk" FOREIGN KEY ("investment_id") REFERENCES "public"."investments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "allocations" ADD CONSTRAINT "allocations_project_id_tier_tiers_project_id_tier_fk" FOREIGN KEY ("project_id","tier") REFERENCES "public"."tiers"("project_id","tier") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "investments" ADD CONSTRAINT "investments_tx_hash_payments_tx_hash_fk" FOREIGN KEY ("tx_hash") REFERENCES "public"."payments"("tx_hash") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "investments" ADD CONSTRAINT "investments_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "moves" ADD CONSTRAINT "moves_account_deposit_accounts_address_fk" FOREIGN KEY ("account") REFERENCES "public"."deposit_accounts"("address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "moves" ADD CONSTRAINT "moves_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_account_deposit_accounts_address_fk" FOREIGN KEY ("account") REFERENCES "public"."deposit_accounts"("address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_deposit_address_deposit_accounts_address_fk" FOREIGN KEY ("deposit_address") REFERENCES "public"."deposit_accounts"("address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tiers" ADD CONSTRAINT "tiers_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_keys_wallet" ON "api_keys" USING btree ("wallet_address");--> statement-breakpoint
CREATE INDEX "api_keys_tenant" ON "api_keys" USING btree ("tenant_id");--> statement-breakpoint
CREATE INDEX "audit_entries_time" ON "audit_entries" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "deliveries_once" ON "deliveries" USING btree ("event_id","webhook_id");--> statement-breakpoint
CREATE INDEX "deliveries_due" ON "deliveries" USING btree ("due_at") WHERE "deliveries"."status" in ('pending', 'retrying');--> statement-breakpoint
CREATE INDEX "deliveries_waiting" ON "deliveries" USING btree ("webhook_id","created_at","id") WHERE "deliveries"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "deliveries_leased" ON "deliveries" USING btree ("leased_until") WHERE "deliveries"."leased_until" is not null;--> statement-breakpoint
CREATE INDEX "deliveries_log" ON "deliveries" USING btree ("webhook_id","created_at","id");--> statement-breakpoint
CREATE INDEX "delivery_attempts_delivery" ON "delivery_attempts" USING btree ("delivery_id","attempt");--> statement-breakpoint
CREATE UNIQUE INDEX "delivery_attempts_once" ON "delivery_attempts" USING btree ("delivery_id","attempt") WHERE "delivery_attempts"."error_kind" is distinct from 'interrupted';--> statement-breakpoint
CREATE INDEX "events_time" ON "events" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "webhooks_tenant" ON "webhooks" USING btree ("tenant_id");--> statement-breakpoint
CREATE INDEX "webhooks_active" ON "webhooks" USING btree ("active") WHERE "webhooks"."active";--> statement-breakpoint
CREATE UNIQUE INDEX "payout_attempts_number" ON "payout_attempts" USING btree ("payout_id","attempt");--> statement-breakpoint
CREATE UNIQUE INDEX "payout_attempts_one_open" ON "payout_attempts" USING btree ("payout_id") WHERE "payout_attempts"."status" = 'open';--> statement-breakpoint
CREATE UNIQUE INDEX "payout_attempts_ticket" ON "payout_attempts" USING btree ("account","ticket") WHERE "payout_attempts"."status" <> 'expired';--> statement-breakpoint
CREATE INDEX "payout_attempts_open" ON "payout_attempts" USING btree ("account","last_ledger_sequence") WHERE "payout_attempts"."status" = 'open';--> statement-breakpoint
CREATE UNIQUE INDEX "payouts_once" ON "payouts" USING btree ("kind","payment_hash","part");--> statement-breakpoint
CREATE INDEX "payouts_due" ON "payouts" USING btree ("account","next_check_at") WHERE "payouts"."status" in ('scheduled', 'waiting_holder', 'ready');--> statement-breakpoint
CREATE INDEX "payouts_investment" ON "payouts" USING btree ("investment_id");--> statement-breakpoint
CREATE UNIQUE INDEX "ticket_requests_one_open" ON "ticket_requests" USING btree ("account") WHERE "ticket_requests"."status" = 'open';--> statement-breakpoint
CREATE INDEX "allocations_tier" ON "allocations" USING btree ("project_id","tier","investor_account");--> statement-breakpoint
CREATE INDEX "investments_project" ON "investments" USING btree ("project_id","paid_at","id");--> statement-breakpoint
CREATE INDEX "investments_investor" ON "investments" USING btree ("investor_account","paid_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "moves_one_open" ON "moves" USING btree ("project_id") WHERE "moves"."status" = 'submitted';--> statement-breakpoint
CREATE INDEX "moves_feed" ON "moves" USING btree ("account","ledger_index","transaction_index");--> statement-breakpoint
CREATE UNIQUE INDEX "payments_feed" ON "payments" USING btree ("account","ledger_index","transaction_index");--> statement-breakpoint
CREATE INDEX "payments_pending" ON "payments" USING btree ("account","ledger_index","transaction_index") WHERE "payments"."outcome" = 'pending';--> statement-breakpoint
CREATE INDEX "payments_sender" ON "payments" USING btree ("sender");