import type { Db } from '#lib/base/db.ts';
import type { Ctx } from '#lib/ctx.ts';
import { type ReleaseFacts, toReleaseAmounts } from './amounts.ts';
import type { ReleaseAmounts } from './contracts.ts';
import {
  type AccountOnLedger,
  depositAddressOf,
  readAccountCommitments,
  readRaised,
  withBalance,
} from './read-amounts.ts';

/** What of a project may go to its treasury now, all as of one ledger. Throws `project_not_found`, `ledger_unavailable`. */
export async function getRelease(ctx: Ctx, projectId: string): Promise<ReleaseAmounts> {
  const depositAddress = await depositAddressOf(ctx.db, projectId);
  return withBalance(ctx, depositAddress, (onLedger, ledgerIndex) =>
    ctx.db.transaction(
      async (tx) => {
        const facts = await readReleaseFacts(tx, projectId, { depositAddress, onLedger });
        return facts.commitments.ledgerIndex === ledgerIndex ? toReleaseAmounts(facts) : null;
      },
      { isolationLevel: 'repeatable read', accessMode: 'read only' },
    ),
  );
}

/** The deposit account of a project. */
export interface DepositAccount {
  depositAddress: string;
  onLedger: AccountOnLedger;
}

/** What decides how much of a project may be released. */
export const readReleaseFacts = async (
  db: Db,
  projectId: string,
  { depositAddress, onLedger }: DepositAccount,
): Promise<ReleaseFacts> => ({
  commitments: await readAccountCommitments(db, depositAddress, onLedger.server),
  raised: await readRaised(db, projectId),
  onLedger,
});
