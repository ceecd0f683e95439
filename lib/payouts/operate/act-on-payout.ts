import { eq, sql } from 'drizzle-orm';
import { payouts } from '#drizzle/schema/payouts.ts';
import { appendAudit } from '#lib/audit.ts';
import type { Tx } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import { checkAgain } from '../change-status.ts';
import { checkRestoreGuard } from '../restore-guard.ts';
import type { PayoutResource } from './contracts.ts';
import { getPayout, payoutNotFound } from './get-payout.ts';
import { holdPayout } from './hold-payout.ts';
import { type Action, assertPossible } from './possible-actions.ts';
import { readSettlement, writeSettlement } from './settle-payout.ts';

const DO: Record<Exclude<Action, 'settle'>, (tx: Tx, id: string) => Promise<unknown>> = {
  retry: (tx, id) => checkAgain(tx, { payoutIds: [id] }, false),
  hold: holdPayout,
  release: (tx, id) => checkAgain(tx, { payoutIds: [id] }, true),
};

/**
 * An operator retries, holds or releases one payout, or settles it by a transaction that has paid it. The row's lock is the one under which a payment of it is persisted:
 * what is held here is not signed afterwards, and what was signed before cannot be held. Throws `not_found`, `conflict`
 * with what is possible instead, `invalid_request`; `ledger_unavailable` when it cannot be settled now.
 */
export async function actOnPayout(
  ctx: Ctx,
  input: { id: string; action: Action; reason: string; transaction_hash?: string | undefined },
): Promise<PayoutResource> {
  const { id, action, reason, transaction_hash } = input;
  assertHashFits(action, transaction_hash);
  // Asked before the row is locked: the ledger may take its time.
  const settlement = transaction_hash === undefined ? null : await readSettlement(ctx, id, transaction_hash);
  const done = await ctx.db.transaction(async (tx) => {
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
    if (settlement !== null) await writeSettlement(tx, settlement);
    else if (action !== 'settle') await DO[action](tx, id);
    const after = await getPayout(tx, id);
    await appendAudit(tx, ctx, {
      action: `payout.${action}`,
      subject: id,
      reason,
      before: { status: before.status, reason: before.reason },
      after: {
        status: after.status,
        reason: after.reason,
        next_check_at: after.next_check_at,
        ...(settlement === null ? {} : { transaction_hash }),
      },
    });
    return after;
  });
  if (settlement !== null) await recordSettlement(ctx, settlement.payout.account);
  return done;
}

/** What is settled is settled, noted or not: the next look makes it good. */
async function recordSettlement(ctx: Ctx, account: string): Promise<void> {
  try {
    await checkRestoreGuard(ctx, account);
  } catch (err) {
    ctx.log.warn({ err, account }, 'what was settled last could not be noted');
  }
}

/** Throws `invalid_request`: settling needs the transaction, and nothing else takes one. */
function assertHashFits(action: Action, transactionHash: string | undefined): void {
  if ((action === 'settle') === (transactionHash !== undefined)) return;
  const field = 'transaction_hash';
  const message =
    action === 'settle' ? 'give the hash of the transaction that has paid it' : 'leave it out: it is for settle only';
  throw new PlatformError('invalid_request', `${field}: ${message}`, { errors: [{ field, message }] });
}
