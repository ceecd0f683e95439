CREATE TABLE "idempotency_keys" (
	"scope" text NOT NULL,
	"key" text NOT NULL,
	"request_hash" text NOT NULL,
	"request_id" text NOT NULL,
	"locked_until" timestamp with time zone NOT NULL,
	"response_status" integer,
	"sealed_response" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_keys_scope_key_pk" PRIMARY KEY("scope","key"),
	CONSTRAINT "idempotency_keys_answered" CHECK (("idempotency_keys"."response_status" is null) = ("idempotency_keys"."sealed_response" is null))
);
--> statement-breakpoint
CREATE TABLE "wallet_challenges" (
	"id" text PRIMARY KEY NOT NULL,
	"wallet_address" text NOT NULL,
	"action" text NOT NULL,
	"message" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "replays" (
	"id" text PRIMARY KEY NOT NULL,
	"webhook_id" text NOT NULL,
	"from_time" timestamp with time zone NOT NULL,
	"to_time" timestamp with time zone NOT NULL,
	"selection" text NOT NULL,
	"event_types" text[],
	"status" text DEFAULT 'running' NOT NULL,
	"total" integer NOT NULL,
	"written" integer DEFAULT 0 NOT NULL,
	"through_sequence" bigint DEFAULT 0 NOT NULL,
	"requested_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "maintenances" (
	"id" text PRIMARY KEY NOT NULL,
	"message" text NOT NULL,
	"expected_end_at" timestamp with time zone,
	"started_by" text NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_by" text,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
DROP INDEX "deliveries_once";--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "resend_of" text;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "replay_id" text;--> statement-breakpoint
ALTER TABLE "delivery_attempts" ADD COLUMN "url" text;--> statement-breakpoint
ALTER TABLE "delivery_attempts" ADD COLUMN "request_headers" jsonb;--> statement-breakpoint
ALTER TABLE "delivery_attempts" ADD COLUMN "response_headers" jsonb;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "pruned_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "next_sealed_secret" text;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "rotated_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "failing_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "disabled_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "disabled_reason" text;--> statement-breakpoint
ALTER TABLE "replays" ADD CONSTRAINT "replays_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "idempotency_keys_age" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "wallet_challenges_wallet" ON "wallet_challenges" USING btree ("wallet_address","expires_at");--> statement-breakpoint
CREATE INDEX "wallet_challenges_expiry" ON "wallet_challenges" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "replays_one_running" ON "replays" USING btree ("webhook_id") WHERE "replays"."status" = 'running';--> statement-breakpoint
CREATE INDEX "replays_of_webhook" ON "replays" USING btree ("webhook_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "maintenances_one_open" ON "maintenances" USING btree ((true)) WHERE "maintenances"."ended_at" is null;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_replay_id_replays_id_fk" FOREIGN KEY ("replay_id") REFERENCES "public"."replays"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "deliveries_once_a_replay" ON "deliveries" USING btree ("replay_id","event_id") WHERE "deliveries"."replay_id" is not null;--> statement-breakpoint
CREATE INDEX "deliveries_resent" ON "deliveries" USING btree ("event_id") WHERE "deliveries"."resend_of" is not null;--> statement-breakpoint
CREATE INDEX "deliveries_retrying" ON "deliveries" USING btree ("due_at") WHERE "deliveries"."status" = 'retrying';--> statement-breakpoint
CREATE INDEX "deliveries_failed" ON "deliveries" USING btree ("webhook_id","created_at","id") WHERE "deliveries"."status" = 'failed';--> statement-breakpoint
CREATE INDEX "events_to_prune" ON "events" USING btree ("created_at") WHERE "events"."pruned_at" is null;--> statement-breakpoint
CREATE INDEX "webhooks_rotating" ON "webhooks" USING btree ("rotated_at") WHERE "webhooks"."next_sealed_secret" is not null;--> statement-breakpoint
CREATE INDEX "payouts_published" ON "payouts" USING btree ("project_id","ledger_index","tx_hash") WHERE "payouts"."status" = 'validated';--> statement-breakpoint
CREATE UNIQUE INDEX "deliveries_once" ON "deliveries" USING btree ("event_id","webhook_id") WHERE "deliveries"."resend_of" is null;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_rotation" CHECK (("webhooks"."next_sealed_secret" is null) = ("webhooks"."rotated_at" is null));--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_disabled" CHECK (("webhooks"."disabled_at" is null) = ("webhooks"."disabled_reason" is null));