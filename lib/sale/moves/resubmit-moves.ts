import { and, eq } from 'drizzle-orm';
import { moves } from '#drizzle/schema/sale.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { SignedTransaction } from '#lib/ledger/types.ts';

/** A failed submission is no failure: the blob is persisted, and every run of process-payments submits it again until it is seen or has expired. */
export async function submitPrepared(ctx: Ctx, prepared: SignedTransaction): Promise<void> {
  try {
    const result = await ctx.ledger.submit(prepared.blob);
    ctx.log.info({ transaction_hash: prepared.hash, engine_result: result.engineResult }, 'move submitted');
  } catch (cause) {
    ctx.log.warn({ err: cause, transaction_hash: prepared.hash }, 'move not submitted yet');
  }
}

/** Submits our open moves of an account again; harmless when they are in already (ledger fact 29). */
export async function resubmitMoves(ctx: Ctx, account: string): Promise<void> {
  const open = await ctx.db
    .select({ hash: moves.txHash, blob: moves.txBlob })
    .from(moves)
    .where(and(eq(moves.account, account), eq(moves.status, 'submitted')));
  for (const move of open) {
    if (move.blob !== null) await submitPrepared(ctx, { hash: move.hash, blob: move.blob });
  }
}
