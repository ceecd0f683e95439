CREATE TABLE "verifications" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"as_of_ledger" bigint NOT NULL,
	"status" text DEFAULT 'running' NOT NULL,
	"progress" jsonb,
	"payments" integer DEFAULT 0 NOT NULL,
	"payouts" integer DEFAULT 0 NOT NULL,
	"differences" integer DEFAULT 0 NOT NULL,
	"report" jsonb,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "verifications" ADD CONSTRAINT "verifications_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "verifications_latest" ON "verifications" USING btree ("project_id","started_at");--> statement-breakpoint
CREATE INDEX "verifications_running" ON "verifications" USING btree ("project_id") WHERE "verifications"."status" = 'running';