import { sql } from 'drizzle-orm';
import { payoutAttempts, payouts } from '#drizzle/schema/payouts.ts';
import { investments, payments, projects } from '#drizzle/schema/sale.ts';
import { bulkRows, textArray } from '#lib/base/bulk.ts';
import type { Tx } from '#lib/base/db.ts';
import type { GivenBack } from './give-back.ts';
import { PAID_ELSEWHERE, type SettledParts } from './lock-parts.ts';

type ProjectRow = typeof projects.$inferSelect;

/** What becomes of one investment. */
export interface Unwound extends GivenBack, Pick<SettledParts, 'cancellable'> {
  investment: typeof investments.$inferSelect;
  payment: typeof payments.$inferSelect;
  /** Some of its tokens are on the ledger: it stays confirmed. */
  distributed: boolean;
}

/** Ends what will not be distributed any more. The caller holds the rows' locks. */
export async function cancelParts(tx: Tx, project: ProjectRow, unwound: readonly Unwound[]): Promise<void> {
  const ids = unwound.flatMap(({ cancellable }) => cancellable);
  if (ids.length === 0) return;
  await tx.execute(sql`
    update ${payouts} set status = 'cancelled', reason = ${project.endReason} where id = any (${textArray(ids)})`);
}

/**
 * Ends the releases of a cancelled sale that nobody has signed: it releases nothing any more. Gives whether none is left
 * that may still be paid; locked ones are passed over like parts (lock-parts.ts), and signed ones and those
 * that may have been paid by hand are waited for.
 */
export async function cancelReleases(tx: Tx, project: ProjectRow): Promise<boolean> {
  await tx.execute(sql`
    update ${payouts} set status = 'cancelled', reason = ${project.endReason} where id in (
      select p.id from ${payouts} as p
      where p.kind = 'release' and p.project_id = ${project.id}
        and p.status in ('scheduled', 'waiting_holder', 'ready', 'held')
        and p.reason is distinct from ${PAID_ELSEWHERE}
        and not exists (select from ${payoutAttempts} as a where a.payout_id = p.id and a.status = 'open')
      for no key update skip locked)`);
  const left = await tx.execute(sql`
    select from ${payouts} where kind = 'release' and project_id = ${project.id}
      and status not in ('validated', 'cancelled') limit 1`);
  return left.rows.length === 0;
}

/** Books what goes back: received = invested + refunded + held stays true of every payment. Allocations stay as history. */
export async function writeUnwound(tx: Tx, project: ProjectRow, unwound: readonly Unwound[]): Promise<void> {
  if (unwound.length === 0) return;
  await tx.execute(sql`
    update ${payments} as p
    set invested_drops = p.invested_drops - g.refunded - g.held, refunded_drops = p.refunded_drops + g.refunded,
      held_drops = p.held_drops + g.held, reason = ${project.endReason},
      outcome = case when p.invested_drops > g.refunded + g.held then 'partial'
        when p.refunded_drops + g.refunded > 0 then 'refunded' else 'held' end
    from ${bulkRows(
      'g',
      { tx_hash: 'text', refunded: 'bigint', held: 'bigint' },
      unwound
        .filter(({ refundedDrops, heldDrops }) => refundedDrops + heldDrops > 0n)
        .map(({ payment, refundedDrops, heldDrops }) => ({
          tx_hash: payment.txHash,
          refunded: refundedDrops,
          held: heldDrops,
        })),
    )}
    where p.tx_hash = g.tx_hash`);
  await tx.execute(sql`
    update ${investments} as i
    set unwound = true, payouts_planned = true, status = case when g.distributed then i.status else 'failed' end,
      reason = case when g.distributed then i.reason else ${project.endReason} end
    from ${bulkRows(
      'g',
      { id: 'text', distributed: 'boolean' },
      unwound.map(({ investment, distributed }) => ({ id: investment.id, distributed })),
    )}
    where i.id = g.id`);
  const drops = unwound.reduce((sum, { refundedDrops, heldDrops }) => sum + refundedDrops + heldDrops, 0n);
  await tx.execute(sql`
    update ${projects} set unwound_drops = unwound_drops + ${drops.toString()}::bigint where id = ${project.id}`);
}
