CREATE TABLE "job_runs" (
	"name" text PRIMARY KEY NOT NULL,
	"run" text,
	"slice" bigint DEFAULT 0 NOT NULL,
	"started_at" timestamp with time zone,
	"finished_at" timestamp with time zone,
	"last_fault" text,
	"last_fault_at" timestamp with time zone,
	"overran_ms" bigint,
	"overran_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "job_schedules" (
	"name" text PRIMARY KEY NOT NULL,
	"due_at" timestamp with time zone,
	"woken_until" timestamp with time zone,
	"wakes" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
-- Written by hand from here on: runs, faults and wakes are taken over from the leases.
INSERT INTO "job_runs" ("name", "run", "slice", "started_at", "finished_at", "last_fault", "last_fault_at")
	SELECT "name", "holder", "slice", "last_started_at", "last_finished_at", "last_fault", "last_fault_at" FROM "leases"
	WHERE "name" IN ('process-payments', 'deliveries', 'sync-holders', 'trustline-monitor') OR "name" LIKE 'verify-sales:%';
--> statement-breakpoint
INSERT INTO "job_schedules" ("name", "woken_until", "wakes")
	SELECT 'deliveries', "leased_until", "slice" FROM "leases" WHERE "name" = 'deliveries-wake';
--> statement-breakpoint
DELETE FROM "leases" WHERE "name" IN ('deliveries-wake', 'health', 'process-payments') OR "name" LIKE 'feed:%';
