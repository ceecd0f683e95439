import { sql } from 'drizzle-orm';
import { pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, id, instant, wholeNumber } from './columns.ts';

/** One row a kind of background work: who holds it until when (database clock), and its persisted slice number. */
export const leases = pgTable('leases', {
  name: text().primaryKey(),
  holder: text(),
  leasedUntil: instant(),
  slice: wholeNumber().notNull().default(0),
  lastStartedAt: instant(),
  lastFinishedAt: instant(),
  /** What went wrong last, redacted, for operators. */
  lastFault: text(),
  lastFaultAt: instant(),
});

/** Times in which the operators work on the platform, as they announced them. */
export const maintenances = pgTable(
  'maintenances',
  {
    id: id(),
    /** What the public is told. */
    message: text().notNull(),
    expectedEndAt: instant(),
    startedBy: text().notNull(),
    startedAt: createdAt(),
    endedBy: text(),
    endedAt: instant(),
  },
  (t) => [uniqueIndex('maintenances_one_open').on(sql`(true)`).where(sql`${t.endedAt} is null`)],
);
