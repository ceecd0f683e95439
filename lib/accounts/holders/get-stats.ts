import { and, desc, eq } from 'drizzle-orm';
import { holderSyncs } from '#drizzle/schema/holders.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { Snapshot } from './contracts.ts';
import { toSnapshot } from './to-snapshot.ts';
import { noSnapshot, type TokenQuestion, whichToken } from './which-token.ts';

/** The statistics of a token's latest snapshot, as they were computed when it became whole. */
export async function getStats(ctx: Ctx, question: TokenQuestion): Promise<{ token: string } & Snapshot> {
  const token = await whichToken(ctx.db, question);
  const [latest] = await ctx.db
    .select()
    .from(holderSyncs)
    .where(and(eq(holderSyncs.token, token), eq(holderSyncs.status, 'complete')))
    .orderBy(desc(holderSyncs.completedAt))
    .limit(1);
  if (latest === undefined) throw noSnapshot(`No holders of ${token}`);
  return { token, ...toSnapshot(latest) };
}
