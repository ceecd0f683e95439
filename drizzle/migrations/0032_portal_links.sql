CREATE TABLE "portal_audit_entries" (
	"id" text PRIMARY KEY NOT NULL,
	"link_id" text NOT NULL,
	"action" text NOT NULL,
	"webhook_id" text NOT NULL,
	"request_id" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "portal_links" (
	"id" text PRIMARY KEY NOT NULL,
	"key_id" text NOT NULL,
	"link_hash" text NOT NULL,
	"session_hash" text,
	"scopes" text[] NOT NULL,
	"project_id" text,
	"frame_origins" text[] NOT NULL,
	"opens_until" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"opened_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "portal_links_linkHash_unique" UNIQUE("link_hash"),
	CONSTRAINT "portal_links_sessionHash_unique" UNIQUE("session_hash"),
	CONSTRAINT "portal_links_opened" CHECK (("portal_links"."opened_at" is null) = ("portal_links"."session_hash" is null)),
	CONSTRAINT "portal_links_times" CHECK ("portal_links"."opens_until" <= "portal_links"."expires_at")
);
--> statement-breakpoint
ALTER TABLE "portal_audit_entries" ADD CONSTRAINT "portal_audit_entries_link_id_portal_links_id_fk" FOREIGN KEY ("link_id") REFERENCES "public"."portal_links"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "portal_links" ADD CONSTRAINT "portal_links_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "portal_audit_entries_link" ON "portal_audit_entries" USING btree ("link_id","created_at","id");--> statement-breakpoint
CREATE INDEX "portal_links_key" ON "portal_links" USING btree ("key_id");--> statement-breakpoint
CREATE INDEX "portal_links_expiry" ON "portal_links" USING btree ("expires_at");