import { sql } from 'drizzle-orm';
import { check, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { tenants } from './access.ts';
import { amount, createdAt, id, instant } from './columns.ts';
import { projects } from './sale.ts';

/** Requests for an action that another person approves: each names exactly what would be done, and never changes in that. */
export const approvals = pgTable(
  'approvals',
  {
    id: id(),
    projectId: text()
      .notNull()
      .references(() => projects.id),
    action: text({ enum: ['launch', 'release'] }).notNull(),
    /** One that has lapsed is open here until somebody decides or asks anew: readers see that by what it names. */
    status: text({ enum: ['open', 'approved', 'refused', 'withdrawn', 'lapsed'] })
      .notNull()
      .default('open'),
    requesterKind: text({ enum: ['administrator', 'member'] }).notNull(),
    /** An administrator's name, a member's wallet. */
    requesterName: text().notNull(),
    /** The member's tenant. */
    tenantId: text().references(() => tenants.id),
    reason: text().notNull(),
    /** Of a launch: the terms that it would anchor, as canonical JSON, and their SHA-256. */
    terms: text(),
    termsHash: text(),
    /** Of a release. */
    destination: text(),
    amountDrops: amount(),
    expiresAt: instant().notNull(),
    closedAt: instant(),
    /** Who approved, refused or withdrew it. */
    closerKind: text({ enum: ['administrator', 'member'] }),
    closerName: text(),
    closedReason: text(),
    /** What an approval brought about: the launch's transaction, the release's payout. */
    transactionHash: text().unique('approvals_transaction_hash'),
    payoutId: text().unique('approvals_payout_id'),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('approvals_one_open').on(t.projectId, t.action).where(sql`${t.status} = 'open'`),
    index('approvals_in_order').on(t.createdAt, t.id),
    index('approvals_project').on(t.projectId, t.createdAt, t.id),
    check(
      'approvals_named',
      sql`case ${t.action} when 'launch' then ${t.terms} is not null and ${t.termsHash} is not null and ${t.destination} is null and ${t.amountDrops} is null
        else ${t.terms} is null and ${t.termsHash} is null and ${t.destination} is not null and ${t.amountDrops} is not null and ${t.amountDrops} > 0 end`,
    ),
    check('approvals_tenant', sql`(${t.requesterKind} = 'member') = (${t.tenantId} is not null)`),
    check('approvals_closed', sql`(${t.status} = 'open') = (${t.closedAt} is null)`),
    check(
      'approvals_closer',
      sql`(${t.status} in ('approved', 'refused', 'withdrawn')) = (${t.closerName} is not null) and (${t.closerName} is null) = (${t.closerKind} is null)`,
    ),
    // Nobody decides what they asked for.
    check(
      'approvals_two_persons',
      sql`${t.status} not in ('approved', 'refused') or (${t.closerKind} = 'administrator' and (${t.requesterKind}, ${t.requesterName}) <> (${t.closerKind}, ${t.closerName}))`,
    ),
    check(
      'approvals_outcome',
      sql`(${t.status} = 'approved' and ${t.action} = 'launch') = (${t.transactionHash} is not null) and (${t.status} = 'approved' and ${t.action} = 'release') = (${t.payoutId} is not null)`,
    ),
  ],
);
export type ApprovalRow = typeof approvals.$inferSelect;
