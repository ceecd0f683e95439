import { and, desc, eq } from 'drizzle-orm';
import { holderSyncs } from '#drizzle/schema/holders.ts';
import type { Db } from '#lib/base/db.ts';
import type { Snapshot } from './types.ts';

/** The last whole snapshot of a token's holders, by the token's name; null before the first one. */
export async function latestSnapshot(db: Db, token: string): Promise<(Snapshot & { syncId: string }) | null> {
  const [row] = await db
    .select({ syncId: holderSyncs.id, ledgerIndex: holderSyncs.ledgerIndex, syncedAt: holderSyncs.completedAt })
    .from(holderSyncs)
    .where(and(eq(holderSyncs.token, token), eq(holderSyncs.status, 'complete')))
    .orderBy(desc(holderSyncs.completedAt))
    .limit(1);
  if (row === undefined) return null;
  if (row.syncedAt === null) throw new Error(`Synchronisation ${row.syncId} is complete without its time`);
  return { ...row, syncedAt: row.syncedAt };
}
