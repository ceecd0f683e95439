import { sql } from 'drizzle-orm';
import { payoutAttempts, payouts } from '#drizzle/schema/payouts.ts';
import { textArray } from '#lib/base/bulk.ts';
import type { Tx } from '#lib/base/db.ts';
import type { TokenUnits } from '#lib/base/money.ts';
import { PAID_ELSEWHERE } from './types.ts';

/** The distribution of one investment whose every part is settled, or can be cancelled in this transaction. */
export interface SettledParts {
  /** Validated on the ledger. */
  distributedUnits: TokenUnits;
  /** Not paid, and locked until the transaction ends. */
  cancellable: string[];
}

interface PartRow extends Record<string, unknown> {
  id: string;
  investment_id: string;
  status: (typeof payouts.$inferSelect)['status'];
  reason: string | null;
  amount: string;
}

/**
 * Locks the parts of these investments' distributions and returns them by investment. An investment is left out while
 * one of its parts is in somebody's hands: locked by a payer at work, submitted, with an attempt that could still
 * succeed, or held for a person to say whether a transaction signed elsewhere has paid it.
 *
 * A payer and this cannot both have a part. A payer persists its attempt under the same row lock and only if the part is
 * payable in that moment (attempts.ts): if it was first, the part is `submitted` here; if this was first,
 * the part is `cancelled` there, and nothing that was not persisted is ever submitted. Locked rows are passed over
 * instead of waited for: payers lock theirs in an order of their own, and two that wait for each other are a deadlock.
 */
export async function lockSettledParts(tx: Tx, investmentIds: readonly string[]): Promise<Map<string, SettledParts>> {
  // What a row lock returns is the row as it stands, not as it stood when the statement began.
  const locked = await tx.execute<PartRow>(sql`
    select id, investment_id, status, reason, amount::text as amount from ${payouts}
    where kind = 'distribution' and investment_id = any (${textArray(investmentIds)})
    for no key update skip locked`);
  const held = Map.groupBy(locked.rows, (row) => row.investment_id);
  const all = await tx.execute<{ investment_id: string; parts: number; open: boolean }>(sql`
    select p.investment_id, count(*)::integer as parts, bool_or(exists (
      select from ${payoutAttempts} as a where a.payout_id = p.id and a.status = 'open')) as open
    from ${payouts} as p
    where p.kind = 'distribution' and p.investment_id = any (${textArray(investmentIds)})
    group by p.investment_id`);
  const whole = new Map(all.rows.map((row) => [row.investment_id, row]));
  const settled = new Map<string, SettledParts>();
  for (const id of investmentIds) {
    const parts = held.get(id) ?? [];
    const { parts: count, open } = whole.get(id) ?? { parts: 0, open: false };
    if (parts.length !== count || open || parts.some(isUndecided)) continue;
    settled.set(id, {
      distributedUnits: parts.reduce(
        (sum, part) => (part.status === 'validated' ? sum + BigInt(part.amount) : sum),
        0n,
      ),
      cancellable: parts
        .filter((part) => part.status !== 'validated' && part.status !== 'cancelled')
        .map(({ id }) => id),
    });
  }
  return settled;
}

const isUndecided = ({ status, reason }: PartRow): boolean =>
  status === 'submitted' || (status === 'held' && reason === PAID_ELSEWHERE);

/** Cancels parts that `lockSettledParts` has found to be cancellable. The caller's transaction holds their locks. */
export async function cancelPayouts(tx: Tx, ids: readonly string[], reason: string | null): Promise<void> {
  if (ids.length === 0) return;
  await tx.execute(sql`
    update ${payouts} set status = 'cancelled', reason = ${reason} where id = any (${textArray(ids)})`);
}

/**
 * Cancels the releases of a cancelled sale that nobody has signed: it releases nothing any more. Gives whether none is left
 * that may still be paid; locked ones are passed over like parts, and signed ones and those that may have been paid by hand
 * are waited for.
 */
export async function cancelReleases(tx: Tx, projectId: string, reason: string | null): Promise<boolean> {
  await tx.execute(sql`
    update ${payouts} set status = 'cancelled', reason = ${reason} where id in (
      select p.id from ${payouts} as p
      where p.kind = 'release' and p.project_id = ${projectId}
        and p.status in ('scheduled', 'waiting_holder', 'ready', 'held')
        and p.reason is distinct from ${PAID_ELSEWHERE}
        and not exists (select from ${payoutAttempts} as a where a.payout_id = p.id and a.status = 'open')
      for no key update skip locked)`);
  const left = await tx.execute(sql`
    select from ${payouts} where kind = 'release' and project_id = ${projectId}
      and status not in ('validated', 'cancelled') limit 1`);
  return left.rows.length === 0;
}
