import type { Ctx } from '#lib/ctx.ts';
import type { ReleaseFigures } from './contracts.ts';
import { readAccountBooks, withBalance } from './read-account.ts';
import { readRaised } from './read-raised.ts';
import { releaseFiguresOf } from './release-figures.ts';

/** What of a project may go to its treasury now, all as of one ledger. Throws `project_not_found`, `ledger_unavailable`. */
export async function getRelease(ctx: Ctx, projectId: string): Promise<ReleaseFigures> {
  const { depositAddress } = await readRaised(ctx.db, projectId);
  return withBalance(ctx, depositAddress, (onLedger, ledgerIndex) =>
    ctx.db.transaction(
      async (tx) => {
        const books = await readAccountBooks(tx, depositAddress, onLedger.server);
        if (books.ledgerIndex !== ledgerIndex) return null;
        return releaseFiguresOf({ raised: await readRaised(tx, projectId), books, onLedger });
      },
      { isolationLevel: 'repeatable read', accessMode: 'read only' },
    ),
  );
}
