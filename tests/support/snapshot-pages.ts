import { sql } from 'drizzle-orm';
import { holderPages, holderSyncs } from '#drizzle/schema/holders.ts';
import type { Sync } from '#lib/accounts/holders/finish-sync.ts';
import type { Db } from '#lib/base/db.ts';

/** Writes a synchronisation that has read all of its pages, and nothing more, in a ledger of that index. */
export async function writeRead(
  db: Db,
  { id, token, ledgerIndex, at = new Date() }: { id: string; token: string; ledgerIndex: number; at?: Date },
  held: readonly { account: string; balance: string }[],
): Promise<Sync> {
  await db.insert(holderPages).values({
    syncId: id,
    page: 1,
    accounts: held.map(({ account }) => account),
    balances: sql`${sql.param(held.map(({ balance }) => balance))}::numeric[]`,
  });
  const [sync] = await db
    .insert(holderSyncs)
    .values({
      id,
      token,
      ledgerIndex,
      ledgerHash: 'A'.repeat(64),
      ledgerClosedAt: at,
      server: 'ws://127.0.0.1:9',
      pages: 1,
      holders: held.length,
      startedAt: at,
    })
    .returning();
  return sync!;
}
