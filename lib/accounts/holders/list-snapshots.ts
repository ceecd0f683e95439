import { and, desc, eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { holderSyncs } from '#drizzle/schema/holders.ts';
import { decodeCursor, toPage } from '#lib/base/cursor.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { listSnapshotsContract } from './contracts.ts';
import { toSnapshot } from './to-snapshot.ts';
import { noSnapshot, type TokenQuestion, whichToken } from './which-token.ts';

type Page = z.output<(typeof listSnapshotsContract)['responses'][200]>;

/** The statistics of all snapshots of a token, newest first. */
export async function listSnapshots(
  ctx: Ctx,
  { cursor, limit, ...question }: TokenQuestion & { cursor?: string | undefined; limit: number },
): Promise<Page> {
  const after = decodeCursor(cursor, 'sync');
  const token = await whichToken(ctx.db, question);
  const rows = await ctx.db
    .select()
    .from(holderSyncs)
    .where(
      and(
        eq(holderSyncs.token, token),
        eq(holderSyncs.status, 'complete'),
        // A token's snapshots are completed at different milliseconds.
        after === null ? undefined : sql`${holderSyncs.completedAt} < ${after.at.toISOString()}::timestamptz`,
      ),
    )
    .orderBy(desc(holderSyncs.completedAt))
    .limit(limit + 1);
  if (rows.length === 0 && after === null) throw noSnapshot(`No holders of ${token}`);
  const page = toPage(rows, limit, ({ completedAt, startedAt, id }) => ({ at: completedAt ?? startedAt, id }));
  return { token, snapshots: page.rows.map(toSnapshot), next_cursor: page.next };
}
