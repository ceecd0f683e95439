CREATE TABLE "approvals" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"action" text NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"requester_kind" text NOT NULL,
	"requester_name" text NOT NULL,
	"tenant_id" text,
	"reason" text NOT NULL,
	"terms" text,
	"terms_hash" text,
	"destination" text,
	"amount_drops" bigint,
	"expires_at" timestamp with time zone NOT NULL,
	"closed_at" timestamp with time zone,
	"closer_kind" text,
	"closer_name" text,
	"closed_reason" text,
	"transaction_hash" text,
	"payout_id" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "approvals_transaction_hash" UNIQUE("transaction_hash"),
	CONSTRAINT "approvals_payout_id" UNIQUE("payout_id"),
	CONSTRAINT "approvals_named" CHECK (case "approvals"."action" when 'launch' then "approvals"."terms" is not null and "approvals"."terms_hash" is not null and "approvals"."destination" is null and "approvals"."amount_drops" is null
        else "approvals"."terms" is null and "approvals"."terms_hash" is null and "approvals"."destination" is not null and "approvals"."amount_drops" is not null and "approvals"."amount_drops" > 0 end),
	CONSTRAINT "approvals_tenant" CHECK (("approvals"."requester_kind" = 'member') = ("approvals"."tenant_id" is not null)),
	CONSTRAINT "approvals_closed" CHECK (("approvals"."status" = 'open') = ("approvals"."closed_at" is null)),
	CONSTRAINT "approvals_closer" CHECK (("approvals"."status" in ('approved', 'refused', 'withdrawn')) = ("approvals"."closer_name" is not null) and ("approvals"."closer_name" is null) = ("approvals"."closer_kind" is null)),
	CONSTRAINT "approvals_two_persons" CHECK ("approvals"."status" not in ('approved', 'refused') or ("approvals"."closer_kind" = 'administrator' and ("approvals"."requester_kind", "approvals"."requester_name") <> ("approvals"."closer_kind", "approvals"."closer_name"))),
	CONSTRAINT "approvals_outcome" CHECK (("approvals"."status" = 'approved' and "approvals"."action" = 'launch') = ("approvals"."transaction_hash" is not null) and ("approvals"."status" = 'approved' and "approvals"."action" = 'release') = ("approvals"."payout_id" is not null))
);
--> statement-breakpoint
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "approvals_one_open" ON "approvals" USING btree ("project_id","action") WHERE "approvals"."status" = 'open';--> statement-breakpoint
CREATE INDEX "approvals_in_order" ON "approvals" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "approvals_project" ON "approvals" USING btree ("project_id","created_at","id");