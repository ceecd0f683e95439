import { and, desc, eq, sql } from 'drizzle-orm';
import { apiKeys } from '#drizzle/schema/access.ts';
import type { Ctx } from '#lib/ctx.ts';
import { decodeCursor, toPage } from '#lib/platform/cursor.ts';
import { type ApiKeyMetadata, toMetadata } from './types.ts';

/** The keys that name a wallet, the newest first. Anyone may ask, so only public metadata is given (design section 7). */
export async function listApiKeys(
  ctx: Ctx,
  walletAddress: string,
  page: { cursor?: string | undefined; limit: number },
): Promise<{ api_keys: ApiKeyMetadata[]; next_cursor: string | null }> {
  const after = decodeCursor(page.cursor, 'key');
  const rows = await ctx.db
    .select()
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.walletAddress, walletAddress),
        // The place is read from the row itself: a cursor's milliseconds would step over rows of the same millisecond.
        after === null
          ? undefined
          : sql`(${apiKeys.createdAt}, ${apiKeys.id}) < (select created_at, id from api_keys where id = ${after.id})`,
      ),
    )
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id))
    .limit(page.limit + 1);
  const { rows: shown, next } = toPage(rows, page.limit, (row) => ({ at: row.createdAt, id: row.id }));
  return { api_keys: shown.map(toMetadata), next_cursor: next };
}
