import { integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant, wholeNumber } from './columns.ts';

/** The state of each part of the platform as it was last announced: a change of it is announced once. */
export const healthStates = pgTable('health_states', {
  part: text().primaryKey(),
  status: text({ enum: ['operational', 'degraded', 'down'] }).notNull(),
  since: instant().notNull(),
  /** When a look first found it worse than that; it is announced when the next one does too, since it may pass by itself. */
  suspectedSince: instant(),
});

/** Attempts of webhook deliveries by the minute in which they began, for figures over a day that read no attempt. */
export const deliveryMinutes = pgTable(
  'delivery_minutes',
  {
    minute: instant().notNull(),
    /** `retried`: the attempt failed and another one follows; `given_up`: it was the last. */
    outcome: text({ enum: ['delivered', 'retried', 'given_up'] }).notNull(),
    /** For `delivered`: it took less than so long from the delivery's making, retries included; 0 for the others. */
    belowMs: integer().notNull(),
    attempts: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.minute, t.outcome, t.belowMs] })],
);

/** Counts since the export of metrics began, by metric and by the value that tells its series apart. A row lacks what is newer than it. */
export interface MetricCounts {
  /** Attempts by outcome. */
  attempts: Record<string, number>;
  /** Delivered ones by `belowMs`. */
  latencies: Record<string, number>;
  /** Listed events by type. */
  events: Record<string, number>;
  /** Payout attempts by outcome, kind and reason, with spaces between them. */
  payouts: Record<string, number>;
}

/** What the counters of the OpenTelemetry export have come to: one row, so that every process goes on with the same counts. */
export const metricCounts = pgTable('metric_counts', {
  name: text().primaryKey(),
  /** Counted from then on. */
  since: instant().notNull(),
  countedAt: instant().notNull(),
  /** Of `delivery_minutes`, those before this one are counted. */
  minutesBefore: instant().notNull(),
  /** The list position of the last event that is counted. */
  listedThrough: wholeNumber().notNull(),
  /** The sums of `payout_counts` that are counted. */
  payoutsRead: jsonb().$type<MetricCounts['payouts']>().notNull().default({}),
  counts: jsonb().$type<Partial<MetricCounts>>().notNull(),
  /** What the receiver has taken last, and when it was counted: a delta begins there. */
  taken: jsonb().$type<Partial<MetricCounts>>().notNull(),
  takenAt: instant().notNull(),
});
