import type { GivenBack } from '@tranche/rules/give-back.ts';
import { sql } from 'drizzle-orm';
import { investments, payments, projects } from '#drizzle/schema/sale.ts';
import { bulkRows } from '#lib/base/bulk.ts';
import type { Tx } from '#lib/base/db.ts';
import type { SettledParts } from '#lib/payouts/cancel.ts';

type ProjectRow = typeof projects.$inferSelect;

/** What becomes of one investment. */
export interface Unwound extends GivenBack, Pick<SettledParts, 'cancellable'> {
  investment: typeof investments.$inferSelect;
  payment: typeof payments.$inferSelect;
  /** Some of its tokens are on the ledger: it stays confirmed. */
  distributed: boolean;
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
