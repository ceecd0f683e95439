import { integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';

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
