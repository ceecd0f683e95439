CREATE TABLE "health_states" (
	"part" text PRIMARY KEY NOT NULL,
	"status" text NOT NULL,
	"since" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "holder_balances" (
	"sync_id" text NOT NULL,
	"account" text NOT NULL,
	"balance" numeric NOT NULL,
	"excluded" boolean DEFAULT false NOT NULL,
	CONSTRAINT "holder_balances_sync_id_account_pk" PRIMARY KEY("sync_id","account")
);
--> statement-breakpoint
CREATE TABLE "holder_syncs" (
	"id" text PRIMARY KEY NOT NULL,
	"token" text NOT NULL,
	"status" text DEFAULT 'running' NOT NULL,
	"ledger_index" bigint NOT NULL,
	"ledger_hash" text NOT NULL,
	"ledger_closed_at" timestamp with time zone NOT NULL,
	"server" text NOT NULL,
	"asset_scale" integer DEFAULT 0 NOT NULL,
	"marker" jsonb,
	"pages" integer DEFAULT 0 NOT NULL,
	"holders" integer DEFAULT 0 NOT NULL,
	"added" integer,
	"removed" integer,
	"statistics" jsonb,
	"started_at" timestamp with time zone NOT NULL,
	"completed_at" timestamp with time zone,
	"pruned" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "platform_ids" (
	"id" text PRIMARY KEY NOT NULL,
	"wallet_address" text NOT NULL,
	"display_name" text,
	"display_name_proven_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "platform_ids_walletAddress_unique" UNIQUE("wallet_address")
);
--> statement-breakpoint
ALTER TABLE "leases" ADD COLUMN "last_fault" text;--> statement-breakpoint
ALTER TABLE "leases" ADD COLUMN "last_fault_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "holder_balances_rank" ON "holder_balances" USING btree ("sync_id","balance","account") WHERE not "holder_balances"."excluded";--> statement-breakpoint
CREATE UNIQUE INDEX "holder_syncs_one_running" ON "holder_syncs" USING btree ("token") WHERE "holder_syncs"."status" = 'running';--> statement-breakpoint
CREATE INDEX "holder_syncs_latest" ON "holder_syncs" USING btree ("token","completed_at") WHERE "holder_syncs"."status" = 'complete';--> statement-breakpoint
CREATE INDEX "holder_syncs_unpruned" ON "holder_syncs" USING btree ("token") WHERE not "holder_syncs"."pruned";--> statement-breakpoint
CREATE UNIQUE INDEX "payouts_paid_once" ON "payouts" USING btree ("tx_hash") WHERE "payouts"."status" = 'validated';