import { and, eq, gt, isNull, lt, or } from 'drizzle-orm';
import { moves } from '#drizzle/schema/sale.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { SignedTransaction } from '#lib/xrpl/types.ts';

/**
 * A failed submission is no failure: the blob is persisted, and process-payments submits it again until it is seen or has
 * expired. `validatedLedger` is the newest that is known.
 */
export async function submitPrepared(ctx: Ctx, prepared: SignedTransaction, validatedLedger: number): Promise<void> {
  try {
    const result = await ctx.ledger.submit(prepared.blob);
    ctx.log.info({ transaction_hash: prepared.hash, engine_result: result.engineResult }, 'move submitted');
    await ctx.db.update(moves).set({ submittedLedger: validatedLedger }).where(eq(moves.txHash, prepared.hash));
  } catch (cause) {
    ctx.log.warn({ err: cause, transaction_hash: prepared.hash }, 'move not submitted yet');
  }
}

/**
 * Submits our open moves of an account again; harmless when they are in already (docs/ledger-facts.md, 29). Once a
 * validated ledger: while the ledger stands still a server that has answered would only say the same.
 */
export async function resubmitMoves(ctx: Ctx, account: string, validatedLedger: number): Promise<void> {
  const open = await ctx.db
    .select({ hash: moves.txHash, blob: moves.txBlob })
    .from(moves)
    .where(
      and(
        eq(moves.account, account),
        eq(moves.status, 'submitted'),
        gt(moves.lastLedgerSequence, validatedLedger),
        or(isNull(moves.submittedLedger), lt(moves.submittedLedger, validatedLedger)),
      ),
    );
  for (const move of open) {
    if (move.blob !== null) await submitPrepared(ctx, { hash: move.hash, blob: move.blob }, validatedLedger);
  }
}
