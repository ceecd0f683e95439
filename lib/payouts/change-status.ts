import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { payouts } from '#drizzle/schema/payouts.ts';
import { bulkRows, textArray } from '#lib/base/bulk.ts';
import type { Db, Tx } from '#lib/base/db.ts';
import type { Plan } from './check.ts';
import { PAYABLE_STATUSES, type StoredPayout } from './load.ts';
import { PAID_ELSEWHERE, type Payout, type PayoutCounts, type PayoutReason } from './types.ts';

/**
 * The ids, as an array, of the payouts for which `condition` (on the columns of `payouts`) holds, locked in the order of
 * the ids. A statement that writes several payouts writes those only: `where p.id = any (…)`. Left to the plan, each
 * statement would lock in an order of its own, and two that wait for each other are a deadlock.
 */
export const lockedPayouts = (condition: SQL): SQL =>
  sql`array(select ${payouts.id} from ${payouts} where ${condition} order by ${payouts.id} for no key update)`;

/**
 * When a payout that could not be paid is looked at again: after a quarter of the time it has been due, at least 30
 * seconds, at most 30 minutes. Somebody who opens a trust line right away is served right away, and ten thousand who
 * never do cost a few requests a second. An unlock, for which all that is due with it may wait, is looked at again with the next
 * ledger: the database's clock mostly reaches its time some seconds before the ledger does. For an UPDATE of `payouts` aliased `p`.
 */
export const nextCheckAt = (): SQL =>
  sql`now() + least(greatest((now() - p.due_at) / 4, case when p.kind = 'unlock' then interval '4 seconds' else interval '30 seconds' end),
    interval '30 minutes')`;

export const payoutsAsP = sql`${payouts} as p`;

interface Postponement {
  id: string;
  status: (typeof PAYABLE_STATUSES)[number] | 'held';
  reason: PayoutReason;
}

/** Writes why payouts were not paid and when to look again; one statement. A payout that moved on meanwhile is left alone. */
async function postpone(db: Db, rows: readonly Postponement[]): Promise<void> {
  if (rows.length === 0) return;
  await db.execute(sql`
    update ${payoutsAsP}
    set status = g.status, reason = g.reason, next_check_at = ${nextCheckAt()}
    from ${bulkRows('g', { id: 'text', status: 'text', reason: 'text' }, rows)}
    where p.id = g.id and p.id = any (${lockedPayouts(
      sql`${payouts.id} = any (${textArray(rows.map(({ id }) => id))}) and ${payouts.status} = any (${textArray(PAYABLE_STATUSES)})`,
    )})`);
}

const STATUS_AFTER = { wait: 'waiting_holder', later: 'ready', hold: 'held' } as const;

/** Writes every payout that the plan postponed, each with its reason. Adds to `counts`. */
export async function postponePlanned(db: Db, plan: Plan, counts: PayoutCounts): Promise<void> {
  await postpone(
    db,
    plan.postponed.map(({ payout, decision }) => ({
      id: payout.id,
      status: STATUS_AFTER[decision.kind],
      reason: decision.reason,
    })),
  );
  for (const { decision } of plan.postponed) counts[decision.kind === 'hold' ? 'held' : 'waiting'] += 1;
}

/** Postpones payouts for one reason that concerns them all. Adds to `counts`. */
export async function postponeAll(
  db: Db,
  given: readonly Payout[],
  status: Postponement['status'],
  reason: PayoutReason,
  counts: PayoutCounts,
): Promise<void> {
  await postpone(
    db,
    given.map(({ id }) => ({ id, status, reason })),
  );
  counts[status === 'held' ? 'held' : 'waiting'] += given.length;
}

/**
 * Lets the payer take payouts up at once that were found payable. Each only while it stands as it was read: what was
 * paid, held or postponed meanwhile is left alone. Returns the ids.
 */
export async function markReady(
  db: Db | Tx,
  found: readonly Pick<StoredPayout, 'payout' | 'status' | 'reason'>[],
): Promise<string[]> {
  if (found.length === 0) return [];
  const marked = await db.execute<{ id: string }>(sql`
    update ${payoutsAsP} set status = 'ready', reason = null, next_check_at = now()
    from ${bulkRows(
      'g',
      { id: 'text', status: 'text', reason: 'text' },
      found.map(({ payout, status, reason }) => ({ id: payout.id, status, reason })),
    )}
    where p.id = g.id and p.status = g.status and p.reason is not distinct from g.reason
      and p.id = any (${lockedPayouts(sql`${payouts.id} = any (${textArray(found.map(({ payout }) => payout.id))})`)})
    returning p.id`);
  return marked.rows.map((row) => row.id);
}

interface PayoutSelection {
  projectId?: string | undefined;
  payoutIds?: readonly string[] | undefined;
  /** Why they wait or are held. */
  reason?: string | undefined;
}

/**
 * Lets the next slice look at waiting payouts at once, whatever their next check. `releaseHeld` also takes held ones back
 * into payment, as scheduled while they are not due. Nothing that is submitted or paid is touched. Returns the ids.
 */
export async function checkAgain(db: Db, selection: PayoutSelection, releaseHeld: boolean): Promise<string[]> {
  const { projectId, payoutIds, reason } = selection;
  const conditions: SQL[] = [];
  if (projectId !== undefined) conditions.push(eq(payouts.projectId, projectId));
  if (payoutIds !== undefined) conditions.push(inArray(payouts.id, [...payoutIds]));
  if (reason !== undefined) conditions.push(eq(payouts.reason, reason));
  conditions.push(
    inArray(payouts.status, ['scheduled', 'waiting_holder', 'ready', ...(releaseHeld ? (['held'] as const) : [])]),
  );
  const rows = await db
    .update(payouts)
    .set({
      nextCheckAt: sql`now()`,
      status: sql`case when ${payouts.status} <> 'held' then ${payouts.status}
        when ${payouts.dueAt} > now() then 'scheduled' else 'ready' end`,
      reason: sql`case when ${payouts.status} = 'held' then null else ${payouts.reason} end`,
    })
    .where(sql`${payouts.id} = any (${lockedPayouts(sql`${and(...conditions)}`)})`)
    .returning({ id: payouts.id });
  return rows.map((row) => row.id);
}

/**
 * Lets the next slice look at the distributions of an account that wait for its tokens: an escrow has given some back. Without it each
 * would wait for its own next check, up to half an hour.
 */
export async function checkUnderfunded(db: Db, account: string): Promise<void> {
  await db.execute(sql`
    update ${payoutsAsP} set next_check_at = now()
    where p.id = any (${lockedPayouts(sql`${payouts.account} = ${account} and ${payouts.kind} = 'distribution'
      and ${payouts.status} = 'ready' and ${payouts.reason} = 'payer_underfunded' and ${payouts.nextCheckAt} > now()`)})`);
}

/**
 * Holds every unfinished payout of an account to these destinations, because a transaction that was signed outside the
 * platform has paid them from it: that may have been meant for any of the payouts, and only a person knows. One that is
 * submitted keeps the reason until its outcome is known, and is held when it was not paid (settle.ts). Unlocks go on: no payment makes
 * one, and an escrow ends once.
 */
export async function holdPayoutsTo(tx: Tx, account: string, destinations: readonly string[]): Promise<void> {
  if (destinations.length === 0) return;
  await tx.execute(sql`
    update ${payoutsAsP}
    set status = case when p.status = 'submitted' then p.status else 'held' end, reason = ${PAID_ELSEWHERE}
    where p.id = any (${lockedPayouts(sql`${payouts.account} = ${account}
      and ${payouts.destination} = any (${textArray(destinations)}) and ${payouts.kind} <> 'unlock'
      and ${payouts.status} = any (${textArray([...PAYABLE_STATUSES, 'submitted', 'held'])})`)})`);
}
