CREATE TABLE "metric_counts" (
	"name" text PRIMARY KEY NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"counted_at" timestamp with time zone NOT NULL,
	"minutes_before" timestamp with time zone NOT NULL,
	"listed_through" bigint NOT NULL,
	"counts" jsonb NOT NULL,
	"taken" jsonb NOT NULL,
	"taken_at" timestamp with time zone NOT NULL
);
