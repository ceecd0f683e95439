CREATE TABLE "member_invitations" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"wallet_address" text NOT NULL,
	"role" text NOT NULL,
	"invited_by" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "member_invitations_once" UNIQUE("tenant_id","wallet_address"),
	CONSTRAINT "member_invitations_role" CHECK ("member_invitations"."role" in ('viewer', 'editor', 'owner'))
);
--> statement-breakpoint
CREATE TABLE "member_sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"member_id" text NOT NULL,
	"token_hash" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "member_sessions_tokenHash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "members" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"wallet_address" text NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "members_once" UNIQUE("tenant_id","wallet_address"),
	CONSTRAINT "members_role" CHECK ("members"."role" in ('viewer', 'editor', 'owner'))
);
--> statement-breakpoint
ALTER TABLE "audit_entries" ADD COLUMN "tenant_id" text;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "tenant_id" text;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "deleted_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "member_invitations" ADD CONSTRAINT "member_invitations_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "member_sessions" ADD CONSTRAINT "member_sessions_member_id_members_id_fk" FOREIGN KEY ("member_id") REFERENCES "public"."members"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "member_invitations_wallet" ON "member_invitations" USING btree ("wallet_address");--> statement-breakpoint
CREATE INDEX "member_invitations_expiry" ON "member_invitations" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "member_sessions_member" ON "member_sessions" USING btree ("member_id","created_at","id");--> statement-breakpoint
CREATE INDEX "member_sessions_expiry" ON "member_sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "members_wallet" ON "members" USING btree ("wallet_address");--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_entries_tenant" ON "audit_entries" USING btree ("tenant_id","created_at","id") WHERE "audit_entries"."tenant_id" is not null;--> statement-breakpoint
CREATE INDEX "projects_tenant" ON "projects" USING btree ("tenant_id","created_at","id") WHERE "projects"."tenant_id" is not null;