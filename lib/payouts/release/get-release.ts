import type { Ctx } from '#lib/ctx.ts';
import { toReleaseAmounts } from './amounts.ts';
import type { ReleaseAmounts } from './contracts.ts';
import { readAccountCommitments, readRaised, withBalance } from './read-amounts.ts';

/** What of a project may go to its treasury now, all as of one ledger. Throws `project_not_found`, `ledger_unavailable`. */
export async function getRelease(ctx: Ctx, projectId: string): Promise<ReleaseAmounts> {
  const { depositAddress } = await readRaised(ctx.db, projectId);
  return withBalance(ctx, depositAddress, (onLedger, ledgerIndex) =>
    ctx.db.transaction(
      async (tx) => {
        const commitments = await readAccountCommitments(tx, depositAddress, onLedger.server);
        if (commitments.ledgerIndex !== ledgerIndex) return null;
        return toReleaseAmounts({ raised: await readRaised(tx, projectId), commitments, onLedger });
      },
      { isolationLevel: 'repeatable read', accessMode: 'read only' },
    ),
  );
}
