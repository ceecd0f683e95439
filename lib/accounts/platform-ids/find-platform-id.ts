import { eq } from 'drizzle-orm';
import { platformIds } from '#drizzle/schema/holders.ts';
import type { Db } from '#lib/base/db.ts';

export type PlatformIdRow = typeof platformIds.$inferSelect;

/** The Platform ID of a wallet (classic address), or null. */
export async function findPlatformId(db: Db, walletAddress: string): Promise<PlatformIdRow | null> {
  const [row] = await db.select().from(platformIds).where(eq(platformIds.walletAddress, walletAddress));
  return row ?? null;
}

/** The Platform ID by itself, in its one form, or null. */
export async function lookUpPlatformId(db: Db, id: string): Promise<PlatformIdRow | null> {
  const [row] = await db.select().from(platformIds).where(eq(platformIds.id, id));
  return row ?? null;
}
