import type { Ctx } from '#lib/ctx.ts';
import { toReleaseFigures } from './amounts.ts';
import type { ReleaseFigures } from './contracts.ts';
import { readAccountBooks, readRaised, withBalance } from './read-amounts.ts';

/** What of a project may go to its treasury now, all as of one ledger. Throws `project_not_found`, `ledger_unavailable`. */
export async function getRelease(ctx: Ctx, projectId: string): Promise<ReleaseFigures> {
  const { depositAddress } = await readRaised(ctx.db, projectId);
  return withBalance(ctx, depositAddress, (onLedger, ledgerIndex) =>
    ctx.db.transaction(
      async (tx) => {
        const books = await readAccountBooks(tx, depositAddress, onLedger.server);
        if (books.ledgerIndex !== ledgerIndex) return null;
        return toReleaseFigures({ raised: await readRaised(tx, projectId), books, onLedger });
      },
      { isolationLevel: 'repeatable read', accessMode: 'read only' },
    ),
  );
}
