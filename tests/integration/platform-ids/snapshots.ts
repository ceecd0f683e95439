import { randomBytes } from 'node:crypto';
import { readDistribution, sortByAccount, sortByRank } from '#lib/accounts/holders/finish-sync.ts';
import type { Db } from '#lib/base/db.ts';
import { newId } from '#lib/base/ids.ts';
import { START_MS } from '#tests/support/ctx.ts';
import { changeRows } from '#tests/support/rows.ts';
import { writeRead } from '#tests/support/snapshot-pages.ts';

export interface Held {
  account: string;
  balance: string;
  excluded?: boolean;
}

const FIRST_LEDGER = 1_000;
let snapshots = 0;

/** Writes a whole snapshot of a token's holders, newer than those before, and returns its ledger. */
export async function writeSnapshot(db: Db, token: string, held: readonly Held[]): Promise<number> {
  snapshots += 1;
  const ledgerIndex = FIRST_LEDGER + snapshots;
  const syncId = newId('sync', randomBytes);
  const at = new Date(START_MS + snapshots * 60_000);
  await writeRead(db, { id: syncId, token, ledgerIndex, at }, held);
  await sortByRank(
    db,
    syncId,
    held.filter(({ excluded }) => excluded).map(({ account }) => account),
  );
  await sortByAccount(db, syncId);
  const { holders, ...distribution } = await readDistribution(db, syncId);
  await changeRows(
    db,
    'holderSyncs',
    { id: syncId },
    { status: 'complete', holders, statistics: distribution, completedAt: at },
  );
  return ledgerIndex;
}
