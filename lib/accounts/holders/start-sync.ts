import { and, eq, getTableColumns } from 'drizzle-orm';
import { holderSyncs } from '#drizzle/schema/holders.ts';
import { newId } from '#lib/base/ids.ts';
import type { Ctx } from '#lib/ctx.ts';
import { type LedgerToken, tokenName } from '#lib/xrpl/token-name.ts';
import type { OpenedHolders } from '#lib/xrpl/types.ts';

/** A synchronisation as its row has it. */
export type Sync = typeof holderSyncs.$inferSelect;

/**
 * Begins a synchronisation in the ledger that was opened, and abandons the one that the token may have left over. Throws
 * by the unique index when another run begins one at the same time.
 */
export function startSync(ctx: Ctx, token: LedgerToken, opened: OpenedHolders): Promise<Sync> {
  const name = tokenName(token);
  return ctx.db.transaction(async (tx) => {
    await tx
      .update(holderSyncs)
      .set({ status: 'abandoned', marker: null })
      .where(and(eq(holderSyncs.token, name), eq(holderSyncs.status, 'running')));
    const [sync] = await tx
      .insert(holderSyncs)
      .values({
        id: newId('sync', ctx.random),
        token: name,
        ledgerIndex: opened.ledgerIndex,
        ledgerHash: opened.hash,
        ledgerClosedAt: new Date(opened.closedAtMs),
        server: opened.server,
        assetScale: opened.assetScale,
        startedAt: new Date(ctx.clock.nowMs()),
      })
      .returning(getTableColumns(holderSyncs));
    if (sync === undefined) throw new Error('The database did not return the row that it inserted');
    return sync;
  });
}
