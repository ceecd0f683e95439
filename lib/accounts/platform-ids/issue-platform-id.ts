import { eq, sql } from 'drizzle-orm';
import { platformIds } from '#drizzle/schema/holders.ts';
import { isUniqueViolation } from '#lib/base/database-errors.ts';
import type { Db } from '#lib/base/db.ts';
import type { Ctx } from '#lib/ctx.ts';
import { newPlatformId } from './platform-id-form.ts';

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

/** With a thousand million given, one draw in four meets another wallet's: so many in a row mean that something is broken. */
const DRAWS = 40;

/** A wallet's Platform ID, and whether this call made it. */
export interface IssuedPlatformId {
  row: PlatformIdRow;
  isNew: boolean;
}

/**
 * Gives a wallet its Platform ID, or the one that it has: one statement, so that however many ask at the same time, one makes
 * it and all get it. A `displayName` (proven by the wallet) takes the place of the one before. An id that another wallet has
 * is drawn anew.
 */
export async function issuePlatformId(
  ctx: Ctx,
  { walletAddress, displayName }: { walletAddress: string; displayName: string | null },
): Promise<IssuedPlatformId> {
  for (let draw = 1; ; draw++) {
    try {
      return await insert(ctx, walletAddress, displayName);
    } catch (error) {
      if (!isUniqueViolation(error, 'platform_ids_pkey') || draw === DRAWS) throw error;
    }
  }
}

async function insert(ctx: Ctx, walletAddress: string, displayName: string | null): Promise<IssuedPlatformId> {
  const now = new Date(ctx.clock.nowMs());
  const [given] = await ctx.db
    .insert(platformIds)
    .values({
      id: newPlatformId(ctx.random),
      walletAddress,
      displayName,
      displayNameProvenAt: displayName === null ? null : now,
      createdAt: now,
    })
    .onConflictDoUpdate({
      target: platformIds.walletAddress,
      set: {
        displayName: sql`coalesce(excluded.display_name, ${platformIds.displayName})`,
        displayNameProvenAt: sql`coalesce(excluded.display_name_proven_at, ${platformIds.displayNameProvenAt})`,
      },
    })
    // A row that the statement itself has inserted has no xmax yet.
    .returning({
      id: platformIds.id,
      walletAddress: platformIds.walletAddress,
      displayName: platformIds.displayName,
      displayNameProvenAt: platformIds.displayNameProvenAt,
      createdAt: platformIds.createdAt,
      isNew: sql<boolean>`${platformIds}.xmax = 0`,
    });
  if (given === undefined) throw new Error('The insert of a Platform ID returned no row');
  const { isNew, ...row } = given;
  return { row, isNew };
}
