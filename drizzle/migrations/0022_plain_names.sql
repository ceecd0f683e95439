-- Names only: tables, columns and stored values take the words of docs/glossary.md. Written by hand as renames.
ALTER TABLE "moves" RENAME TO "actions";--> statement-breakpoint
ALTER TABLE "actions" RENAME COLUMN "move" TO "action";--> statement-breakpoint
ALTER INDEX "moves_pkey" RENAME TO "actions_pkey";--> statement-breakpoint
ALTER INDEX "moves_feed" RENAME TO "actions_feed";--> statement-breakpoint
ALTER INDEX "moves_one_open" RENAME TO "actions_one_open";--> statement-breakpoint
ALTER TABLE "actions" RENAME CONSTRAINT "moves_account_deposit_accounts_address_fk" TO "actions_account_deposit_accounts_address_fk";--> statement-breakpoint
ALTER TABLE "actions" RENAME CONSTRAINT "moves_project_id_projects_id_fk" TO "actions_project_id_projects_id_fk";--> statement-breakpoint
ALTER TABLE "projects" RENAME COLUMN "unwound_drops" TO "cancelled_drops";--> statement-breakpoint
ALTER TABLE "projects" RENAME COLUMN "unwound_at" TO "cancellation_completed_at";--> statement-breakpoint
ALTER TABLE "investments" RENAME COLUMN "unwound" TO "cancellation_applied";--> statement-breakpoint
ALTER TABLE "deposit_accounts" RENAME COLUMN "booked_drops" TO "recorded_balance_drops";--> statement-breakpoint
ALTER TABLE "deposit_accounts" RENAME COLUMN "booked_from_ledger" TO "recorded_from_ledger";--> statement-breakpoint
ALTER TABLE "holders_by_rank" RENAME COLUMN "first_place" TO "first_position";--> statement-breakpoint
ALTER TABLE "holders_by_rank" RENAME COLUMN "placed_sum" TO "position_balance_sum";--> statement-breakpoint
ALTER TABLE "holders_by_rank" RENAME COLUMN "least_balance" TO "min_balance";--> statement-breakpoint
ALTER TABLE "holders_by_rank" RENAME CONSTRAINT "holders_by_rank_sync_id_first_place_pk" TO "holders_by_rank_sync_id_first_position_pk";--> statement-breakpoint
UPDATE "verifications" SET "report" = replace("report"::text, '"late_move"', '"late_action"')::jsonb WHERE "report"::text LIKE '%"late_move"%';
