import { pgTable, text } from 'drizzle-orm/pg-core';
import { instant, wholeNumber } from './columns.ts';

/** One row a kind of background work: who holds it until when (database clock), and its persisted slice number. */
export const leases = pgTable('leases', {
  name: text().primaryKey(),
  holder: text(),
  leasedUntil: instant(),
  slice: wholeNumber().notNull().default(0),
  lastStartedAt: instant(),
  lastFinishedAt: instant(),
});
