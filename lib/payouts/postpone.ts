import { sql } from 'drizzle-orm';
import { payouts } from '#drizzle/schema/payouts.ts';
import { bulkRows, textArray } from '#lib/base/bulk.ts';
import type { Db } from '#lib/base/db.ts';
import type { Plan } from './check.ts';
import { PAYABLE_STATUSES } from './load.ts';
import { lockedPayouts } from './lock-payouts.ts';
import { nextCheckAt, payoutsAsP } from './next-check.ts';
import type { Payout, PayoutCounts, PayoutReason } from './types.ts';

interface Postponed {
  id: string;
  status: (typeof PAYABLE_STATUSES)[number] | 'held';
  reason: PayoutReason;
}

/** Writes why payouts were not paid and when to look again; one statement. A payout that moved on meanwhile is left alone. */
async function postpone(db: Db, rows: readonly Postponed[]): Promise<void> {
  if (rows.length === 0) return;
  await db.execute(sql`
    update ${payoutsAsP}
    set status = g.status, reason = g.reason, next_check_at = ${nextCheckAt()}
    from ${bulkRows(
      'g',
      { id: 'text', status: 'text', reason: 'text' },
      rows.map(({ id, status, reason }) => ({ id, status, reason })),
    )}
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

/** Puts payouts off for one reason that concerns them all. Adds to `counts`. */
export async function putOff(
  db: Db,
  given: readonly Payout[],
  status: Postponed['status'],
  reason: PayoutReason,
  counts: PayoutCounts,
): Promise<void> {
  await postpone(
    db,
    given.map(({ id }) => ({ id, status, reason })),
  );
  counts[status === 'held' ? 'held' : 'waiting'] += given.length;
}
