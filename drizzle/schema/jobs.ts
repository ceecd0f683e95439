import { sql } from 'drizzle-orm';
import { pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, id, instant, wholeNumber } from './columns.ts';

/** A lock that ends by itself, by the database's clock: of a job, of an account's signer, of a run. */
export const leases = pgTable('leases', {
  name: text().primaryKey(),
  /** Null while nobody holds it. */
  holder: text(),
  leasedUntil: instant(),
  /** When it was last taken and given back. */
  lastStartedAt: instant(),
  lastFinishedAt: instant(),
});

/** The newest run of each job, and of each run of a job that has several at once. */
export const jobRuns = pgTable('job_runs', {
  name: text().primaryKey(),
  run: text(),
  /** Counts the slices of all its runs: a message that continues a run names the slice it follows. */
  slice: wholeNumber().notNull().default(0),
  startedAt: instant(),
  finishedAt: instant(),
  /** What went wrong last, redacted, for operators. */
  lastFault: text(),
  lastFaultAt: instant(),
  /** How long the last slice took that overran its budget. */
  overranMs: wholeNumber(),
  overranAt: instant(),
});

/** When a job is to be begun: at its time, or by a wake. */
export const jobSchedules = pgTable('job_schedules', {
  name: text().primaryKey(),
  /** Of a job with a period of its own: not before this. */
  dueAt: instant(),
  /** No other wake is published until then: one is on its way, or a slice is at work that sees what is written. */
  wokenUntil: instant(),
  wakes: wholeNumber().notNull().default(0),
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
