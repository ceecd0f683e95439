import { sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, id, instant, wholeNumber } from './columns.ts';
import { projects } from './sale.ts';

/** The platform's own verifications of a sale: one row a run, which goes on over several slices. */
export const verifications = pgTable(
  'verifications',
  {
    id: id(),
    projectId: text()
      .notNull()
      .references(() => projects.id),
    /** What is verified: everything up to this ledger. */
    asOfLedger: wholeNumber().notNull(),
    /** `agrees` and `differs` are verdicts; `unchecked` says that a part could not be read. */
    status: text({ enum: ['running', 'agrees', 'differs', 'unchecked'] })
      .notNull()
      .default('running'),
    /** Where the next slice goes on, while it runs. */
    progress: jsonb(),
    payments: integer().notNull().default(0),
    payouts: integer().notNull().default(0),
    differences: integer().notNull().default(0),
    /** The report, as `verify-sale --json` writes it. */
    report: jsonb(),
    startedAt: createdAt(),
    endedAt: instant(),
  },
  (t) => [
    index('verifications_latest').on(t.projectId, t.startedAt),
    index('verifications_running').on(t.projectId).where(sql`${t.status} = 'running'`),
  ],
);
