ALTER TABLE "leases" DROP COLUMN "slice";--> statement-breakpoint
ALTER TABLE "leases" DROP COLUMN "last_fault";--> statement-breakpoint
ALTER TABLE "leases" DROP COLUMN "last_fault_at";