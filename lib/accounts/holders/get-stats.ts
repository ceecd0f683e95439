import { and, desc, eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { holderSyncs } from '#drizzle/schema/holders.ts';
import { toIso } from '#lib/base/clock.ts';
import { decodeCursor, toPage } from '#lib/base/cursor.ts';
import type { Ctx } from '#lib/ctx.ts';
import { type listSnapshotsContract, type Snapshot, statistics } from './contracts.ts';
import { noSnapshot, resolveToken, type TokenQuery } from './tokens.ts';

/** A complete synchronisation on the wire. */
function toSnapshot(row: typeof holderSyncs.$inferSelect): Snapshot {
  if (row.completedAt === null) throw new Error(`${row.id} is not complete`);
  return {
    sync_id: row.id,
    holders: row.holders,
    ...statistics.parse(row.statistics),
    ledger_index: row.ledgerIndex,
    ledger_closed_at: toIso(row.ledgerClosedAt),
    synced_at: toIso(row.completedAt),
  };
}

/** The statistics of a token's latest snapshot, as they were computed when it became whole. */
export async function getStats(ctx: Ctx, question: TokenQuery): Promise<{ token: string } & Snapshot> {
  const token = await resolveToken(ctx.db, question);
  const [latest] = await ctx.db
    .select()
    .from(holderSyncs)
    .where(and(eq(holderSyncs.token, token), eq(holderSyncs.status, 'complete')))
    .orderBy(desc(holderSyncs.completedAt))
    .limit(1);
  if (latest === undefined) throw noSnapshot(`No holders of ${token}`);
  return { token, ...toSnapshot(latest) };
}

type Page = z.output<(typeof listSnapshotsContract)['responses'][200]>;

/** The statistics of all snapshots of a token, newest first. */
export async function listSnapshots(
  ctx: Ctx,
  { cursor, limit, ...question }: TokenQuery & { cursor?: string | undefined; limit: number },
): Promise<Page> {
  const after = decodeCursor(cursor, 'sync');
  const token = await resolveToken(ctx.db, question);
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
