import { eq, sql } from 'drizzle-orm';
import { payouts } from '#drizzle/schema/payouts.ts';
import { appendAudit } from '#lib/audit.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { Tx } from '#lib/platform/db.ts';
import { checkAgain } from '../check-again.ts';
import type { PayoutResource } from './contracts.ts';
import { getPayout, payoutNotFound } from './get-payout.ts';
import { holdPayout } from './hold-payout.ts';
import { type Action, assertPossible } from './possible-actions.ts';

const DO: Record<Action, (tx: Tx, id: string) => Promise<unknown>> = {
  retry: (tx, id) => checkAgain(tx, { payoutIds: [id] }, false),
  hold: holdPayout,
  release: (tx, id) => checkAgain(tx, { payoutIds: [id] }, true),
};

/**
 * An operator retries, holds or releases one payout. The row's lock is the one under which a payment of it is persisted:
 * what is held here is not signed afterwards, and what was signed before cannot be held. Throws `not_found`, `conflict`
 * with what is possible instead.
 */
export async function actOnPayout(
  ctx: Ctx,
  input: { id: string; action: Action; reason: string },
): Promise<PayoutResource> {
  const { id, action, reason } = input;
  return ctx.db.transaction(async (tx) => {
    const [before] = await tx
      .select({
        status: payouts.status,
        reason: payouts.reason,
        isDue: sql<boolean>`${payouts.dueAt} <= now()`,
      })
      .from(payouts)
      .where(eq(payouts.id, id))
      .for('update');
    if (before === undefined) throw payoutNotFound();
    assertPossible(action, before);
    await DO[action](tx, id);
    const after = await getPayout(tx, id);
    await appendAudit(tx, ctx, {
      action: `payout.${action}`,
      subject: id,
      reason,
      before: { status: before.status, reason: before.reason },
      after: { status: after.status, reason: after.reason, next_check_at: after.next_check_at },
    });
    return after;
  });
}
