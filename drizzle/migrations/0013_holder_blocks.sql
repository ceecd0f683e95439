CREATE TABLE "holder_pages" (
	"sync_id" text NOT NULL,
	"page" integer NOT NULL,
	"accounts" text[] NOT NULL,
	"balances" numeric[] NOT NULL,
	CONSTRAINT "holder_pages_sync_id_page_pk" PRIMARY KEY("sync_id","page"),
	CONSTRAINT "holder_pages_paired" CHECK (cardinality("holder_pages"."accounts") = cardinality("holder_pages"."balances"))
);
--> statement-breakpoint
CREATE TABLE "holders_by_account" (
	"sync_id" text NOT NULL,
	"ending" text NOT NULL,
	"accounts" text[] NOT NULL,
	"balances" numeric[] NOT NULL,
	CONSTRAINT "holders_by_account_sync_id_ending_pk" PRIMARY KEY("sync_id","ending")
);
--> statement-breakpoint
CREATE TABLE "holders_by_rank" (
	"sync_id" text NOT NULL,
	"first_place" integer NOT NULL,
	"accounts" text[] NOT NULL,
	"balances" numeric[] NOT NULL,
	"least_balance" numeric NOT NULL,
	"balance_sum" numeric NOT NULL,
	"placed_sum" numeric NOT NULL,
	CONSTRAINT "holders_by_rank_sync_id_first_place_pk" PRIMARY KEY("sync_id","first_place")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "holder_pages_once" ON "holder_pages" USING btree ("sync_id",("accounts"[1]));--> statement-breakpoint
-- Addresses and balances do not get smaller: compressing them is work for nothing.
ALTER TABLE "holder_pages" ALTER COLUMN "accounts" SET STORAGE EXTERNAL, ALTER COLUMN "balances" SET STORAGE EXTERNAL;--> statement-breakpoint
ALTER TABLE "holders_by_rank" ALTER COLUMN "accounts" SET STORAGE EXTERNAL, ALTER COLUMN "balances" SET STORAGE EXTERNAL;--> statement-breakpoint
ALTER TABLE "holders_by_account" ALTER COLUMN "accounts" SET STORAGE EXTERNAL, ALTER COLUMN "balances" SET STORAGE EXTERNAL;--> statement-breakpoint
-- The last snapshot of each token is carried over. Who still writes the former table waits, and then fails at the view: its
-- synchronisation is begun anew. Who reads it reads the same through the view.
LOCK TABLE "holder_balances" IN SHARE MODE;--> statement-breakpoint
UPDATE "holder_syncs" SET "status" = 'abandoned', "marker" = NULL WHERE "status" = 'running';--> statement-breakpoint
UPDATE "holder_syncs" AS s SET "pruned" = true WHERE NOT s."pruned" AND (s."status" = 'abandoned' OR EXISTS (
	SELECT FROM "holder_syncs" AS newer
	WHERE newer."token" = s."token" AND newer."status" = 'complete' AND newer."completed_at" > s."completed_at"));--> statement-breakpoint
INSERT INTO "holders_by_rank" ("sync_id", "first_place", "accounts", "balances", "least_balance", "balance_sum", "placed_sum")
SELECT "sync_id", coalesce(part * 500 + 1, 0), array_agg("account" ORDER BY place), array_agg("balance" ORDER BY place),
	min("balance"), sum("balance"), sum("balance" * place)
FROM (
	SELECT b.*, CASE WHEN NOT b."excluded" THEN (b.place - 1) / 500 END AS part
	FROM (
		SELECT b.*, (row_number() OVER (
			PARTITION BY b."sync_id" ORDER BY b."excluded", b."balance" DESC, b."account" COLLATE "C" DESC))::integer AS place
		FROM "holder_balances" AS b JOIN "holder_syncs" AS s ON s."id" = b."sync_id" AND NOT s."pruned") AS b) AS placed
GROUP BY "sync_id", part;--> statement-breakpoint
INSERT INTO "holders_by_account" ("sync_id", "ending", "accounts", "balances")
SELECT "sync_id", ending, array_agg("account"), array_agg("balance")
FROM (
	SELECT b.*, right(b."account", CASE WHEN s."holders" <= 200000 THEN 1 WHEN s."holders" <= 10000000 THEN 2 ELSE 3 END) AS ending
	FROM "holder_balances" AS b JOIN "holder_syncs" AS s ON s."id" = b."sync_id" AND NOT s."pruned") AS held
GROUP BY "sync_id", ending;--> statement-breakpoint
DROP TABLE "holder_balances";--> statement-breakpoint
CREATE VIEW "public"."holder_balances" AS (select r.sync_id, h.account, h.balance, r.first_place = 0 as excluded from holders_by_rank as r, unnest(r.accounts, r.balances) as h(account, balance));