CREATE TABLE "credential_readings" (
	"ledger_index" bigint NOT NULL,
	"subject" text NOT NULL,
	"issuer" text NOT NULL,
	"credential_type" text NOT NULL,
	"found" boolean NOT NULL,
	"accepted" boolean NOT NULL,
	"expires_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "credential_readings_pk" PRIMARY KEY("ledger_index","subject","issuer","credential_type"),
	CONSTRAINT "credential_readings_whole" CHECK ("credential_readings"."found" or (not "credential_readings"."accepted" and "credential_readings"."expires_at" is null))
);
--> statement-breakpoint
ALTER TABLE "tiers" ADD COLUMN "credential" jsonb;