import { and, asc, eq, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { payouts } from '#drizzle/schema/payouts.ts';
import { projects } from '#drizzle/schema/sale.ts';
import { decodeCursor, toPage } from '#lib/base/cursor.ts';
import type { Db } from '#lib/base/db.ts';
import { formatDrops } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import { requireProject } from '../load.ts';
import { isOverdue } from '../overdue.ts';
import type { listPayoutsContract } from './contracts.ts';
import { loadPayoutResources, selectPayouts } from './get-payout.ts';

type Filters = z.output<(typeof listPayoutsContract)['query']>;
type PayoutList = z.output<(typeof listPayoutsContract)['responses'][200]>;

/** Attempts that a list shows of each payout; `getPayout` shows all. */
const ATTEMPTS_IN_LIST = 3;

/**
 * Payouts by when they are due, the oldest first, and how many there are by status and reason. Throws
 * `project_not_found`.
 */
export async function listPayouts(ctx: Ctx, filters: Filters): Promise<PayoutList> {
  const after = decodeCursor(filters.cursor, 'pay');
  await requireProject(ctx.db, 'project_id', filters.project_id);
  const matching = conditions(filters);
  const [rows, summary] = await Promise.all([
    selectPayouts(ctx.db)
      .where(
        and(
          ...matching,
          after === null
            ? undefined
            : // The time is read from the row itself: a cursor's milliseconds would point before it.
              sql`(${payouts.dueAt}, ${payouts.id}) > ((select due_at from payouts where id = ${after.id}), ${after.id})`,
        ),
      )
      .orderBy(asc(payouts.dueAt), asc(payouts.id))
      .limit(filters.limit + 1),
    summarise(ctx.db, matching),
  ]);
  const page = toPage(rows, filters.limit, ({ payout }) => ({ at: payout.dueAt, id: payout.id }));
  return {
    payouts: await loadPayoutResources(ctx.db, page.rows, ATTEMPTS_IN_LIST),
    summary,
    next_cursor: page.next,
  };
}

function conditions({ status, kind, reason, project_id, account, destination, overdue }: Filters): SQL[] {
  const given: SQL[] = [];
  if (status === 'open') given.push(sql`${payouts.status} not in ('validated', 'cancelled')`);
  else if (status !== 'all') given.push(eq(payouts.status, status));
  if (kind !== undefined) given.push(eq(payouts.kind, kind));
  if (reason !== undefined) given.push(eq(payouts.reason, reason));
  if (project_id !== undefined) given.push(eq(payouts.projectId, project_id));
  if (account !== undefined) given.push(eq(payouts.account, account));
  if (destination !== undefined) given.push(eq(payouts.destination, destination));
  // A payout of no project is never overdue.
  if (overdue !== undefined) given.push(sql`coalesce(${isOverdue()}, false) = ${overdue}`);
  return given;
}

async function summarise(db: Db, matching: readonly SQL[]): Promise<PayoutList['summary']> {
  const rows = await db
    .select({
      status: payouts.status,
      reason: payouts.reason,
      payouts: sql<number>`count(*)::int`.as('found'),
      overdue: sql<number>`(count(*) filter (where ${isOverdue()}))::int`,
      drops: sql<string>`coalesce(sum(${payouts.amount}) filter (where ${payouts.kind} <> 'distribution'), 0)::text`,
      oldest: sql<string>`min(${payouts.dueAt})::text`,
      oldestAge: sql<number>`floor(greatest(0, extract(epoch from now() - min(${payouts.dueAt}))))::int`,
    })
    .from(payouts)
    .leftJoin(projects, eq(projects.id, payouts.projectId))
    .where(and(...matching))
    .groupBy(payouts.status, payouts.reason)
    .orderBy(sql`found desc`, asc(payouts.status), asc(payouts.reason));
  return rows.map(({ drops, oldest, oldestAge, ...row }) => ({
    ...row,
    amount_xrp: formatDrops(BigInt(drops)),
    oldest_due_at: new Date(oldest).toISOString(),
    oldest_age_seconds: oldestAge,
  }));
}
