import { and, asc, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { payoutAttempts, payouts } from '#drizzle/schema/payouts.ts';
import { projects } from '#drizzle/schema/sale.ts';
import { decodeCursor, toPage } from '#lib/base/cursor.ts';
import type { Db } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { formatDrops, formatUnits } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import { isInXrp } from '../in-xrp.ts';
import { requireProject } from '../load.ts';
import { isOverdue } from '../overdue.ts';
import type { Action, listPayoutsContract, PayoutResource } from './contracts.ts';

/** One payout with all its attempts. Throws `not_found`. */
export async function getPayout(db: Db, id: string): Promise<PayoutResource> {
  const rows = await selectPayouts(db).where(eq(payouts.id, id));
  const [resource] = await loadPayoutResources(db, rows, Number.POSITIVE_INFINITY);
  if (resource === undefined) throw payoutNotFound();
  return resource;
}

export const payoutNotFound = (): PlatformError => new PlatformError('not_found', 'There is no such payout.');

const selectPayouts = (db: Db) =>
  db
    .select({
      payout: payouts,
      decimals: projects.decimals,
      // A payout of no project is never overdue.
      overdue: sql<boolean>`coalesce(${isOverdue()}, false)`.as('overdue'),
      ageSeconds: sql<number>`greatest(0, extract(epoch from now() - ${payouts.dueAt}))`.mapWith(Number).as('age'),
      isDue: sql<boolean>`${payouts.dueAt} <= now()`.as('is_due'),
    })
    .from(payouts)
    .leftJoin(projects, eq(projects.id, payouts.projectId));

type SelectedPayout = Awaited<ReturnType<typeof selectPayouts>>[number];
type AttemptRow = typeof payoutAttempts.$inferSelect;

/** Resources for rows already read, in their order, each with its newest attempts: one more query for any number. */
async function loadPayoutResources(
  db: Db,
  rows: readonly SelectedPayout[],
  maxAttempts: number,
): Promise<PayoutResource[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ payout }) => payout.id);
  const attempts = await db
    .select()
    .from(payoutAttempts)
    .where(inArray(payoutAttempts.payoutId, ids))
    .orderBy(desc(payoutAttempts.attempt));
  const attemptsOf = Map.groupBy(attempts, (attempt) => attempt.payoutId);
  return rows.map((row) => resourceOf(row, attemptsOf.get(row.payout.id) ?? [], maxAttempts));
}

function resourceOf(row: SelectedPayout, attempts: readonly AttemptRow[], maxAttempts: number): PayoutResource {
  const { payout, decimals, isDue } = row;
  const isTokens = payout.kind !== 'refund' && payout.kind !== 'release';
  return {
    id: payout.id,
    kind: payout.kind,
    project_id: payout.projectId,
    investment_id: payout.investmentId,
    payment_hash: payout.paymentHash,
    part: payout.part,
    account: payout.account,
    destination: payout.destination,
    destination_tag: payout.destinationTag,
    amount_xrp: isTokens ? null : formatDrops(payout.amount),
    tokens: isTokens && decimals !== null ? formatUnits(payout.amount, decimals) : null,
    locked_until: payout.lockedUntil?.toISOString() ?? null,
    status: payout.status,
    reason: payout.reason,
    due_at: payout.dueAt.toISOString(),
    age_seconds: Math.floor(row.ageSeconds),
    overdue: row.overdue,
    next_check_at: payout.nextCheckAt.toISOString(),
    possible: possibleActions({ kind: payout.kind, status: payout.status, isDue }),
    transaction_hash: payout.txHash,
    ledger_index: payout.ledgerIndex,
    validated_at: payout.validatedAt?.toISOString() ?? null,
    created_at: payout.createdAt.toISOString(),
    attempt_count: attempts.length,
    attempts: attempts.slice(0, maxAttempts).map((each) => ({
      attempt: each.attempt,
      transaction_hash: each.txHash,
      status: each.status,
      engine_result: each.engineResult,
      ticket: each.ticket,
      fee_xrp: formatDrops(each.feeDrops),
      first_ledger: each.firstLedger,
      last_ledger_sequence: each.lastLedgerSequence,
      ledger_index: each.ledgerIndex,
      created_at: each.createdAt.toISOString(),
    })),
  };
}

interface PayoutState {
  kind: PayoutResource['kind'];
  status: string;
  /** True once it may be paid. */
  isDue: boolean;
}

/**
 * What an operator may do with a payout. Nothing that may be on the ledger already can be stopped. An unlock settles itself once its
 * escrow is gone, whoever ended it. Pure.
 */
function possibleActions({ kind, status, isDue }: PayoutState): Action[] {
  switch (status) {
    case 'scheduled':
    case 'waiting_holder':
    case 'ready':
      return isDue ? ['retry', 'hold'] : ['hold'];
    case 'held':
      return kind === 'unlock' ? ['release'] : ['release', 'settle'];
    default:
      return [];
  }
}

/** Throws `conflict` that says what is possible instead. */
export function assertPossible(action: Action, state: PayoutState): void {
  const possible = possibleActions(state);
  if (possible.includes(action)) return;
  const notDue = action === 'retry' && possible.includes('hold') ? ' and not due yet' : '';
  const instead = possible.length === 0 ? 'nothing can be done with it' : `only ${possible.join(', ')} is possible`;
  throw new PlatformError('conflict', `The payout is ${state.status}${notDue}: ${instead} now.`);
}

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
      drops: sql<string>`coalesce(sum(${payouts.amount}) filter (where ${isInXrp()}), 0)::text`,
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
