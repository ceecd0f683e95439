import { and, count, desc, eq, inArray, sql } from 'drizzle-orm';
import { deliveries, replays } from '#drizzle/schema/events.ts';
import { toIso, toIsoOrNull } from '#lib/base/clock.ts';
import { decodeCursor, toPage } from '#lib/base/cursor.ts';
import type { Db } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import { requireOwnWebhook } from '#lib/webhooks/registry/acting-tenant.ts';
import type { Replay } from './contracts.ts';

/** The replays of one of the tenant's webhooks, the newest first. Throws `webhook_not_found`. */
export async function listReplays(
  ctx: Ctx,
  webhookId: string,
  query: { cursor?: string | undefined; limit: number },
): Promise<{ replays: Replay[]; next_cursor: string | null }> {
  const after = decodeCursor(query.cursor, 'rpl');
  await requireOwnWebhook(ctx, webhookId);
  const rows = await ctx.db
    .select()
    .from(replays)
    .where(
      and(
        eq(replays.webhookId, webhookId),
        after === null
          ? undefined
          : sql`(${replays.createdAt}, ${replays.id}) < (select created_at, id from replays
              where id = ${after.id} and webhook_id = ${webhookId})`,
      ),
    )
    .orderBy(desc(replays.createdAt), desc(replays.id))
    .limit(query.limit + 1);
  const { rows: shown, next } = toPage(rows, query.limit, (row) => ({ at: row.createdAt, id: row.id }));
  return { replays: await toReplays(ctx.db, shown), next_cursor: next };
}

/** How far a replay of one of the tenant's webhooks has come. Throws `webhook_not_found`, `not_found`. */
export async function getReplay(ctx: Ctx, webhookId: string, id: string): Promise<Replay> {
  await requireOwnWebhook(ctx, webhookId);
  return findReplay(ctx.db, webhookId, id);
}

/** A replay of the webhook. Whose webhook it is was checked before. Throws `not_found`. */
export async function findReplay(db: Db, webhookId: string, id: string): Promise<Replay> {
  const rows = await db
    .select()
    .from(replays)
    .where(and(eq(replays.id, id), eq(replays.webhookId, webhookId)));
  const [replay] = await toReplays(db, rows);
  if (replay === undefined) throw new PlatformError('not_found', 'This webhook has no such replay.');
  return replay;
}

/** Stored replays as answered, with what became of their deliveries. */
export async function toReplays(db: Db, rows: readonly ReplayRow[]): Promise<Replay[]> {
  if (rows.length === 0) return [];
  const ends = await countEnds(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    id: row.id,
    webhook_id: row.webhookId,
    from: toIso(row.fromTime),
    to: toIso(row.toTime),
    selection: row.selection,
    event_types: row.eventTypes,
    status: row.status,
    total: row.total,
    written: row.written,
    ...(ends.get(row.id) ?? NONE_ENDED),
    created_at: toIso(row.createdAt),
    ended_at: toIsoOrNull(row.endedAt),
  }));
}

type ReplayRow = typeof replays.$inferSelect;
type ReplayEnd = 'success' | 'failed' | 'cancelled';

/** How many deliveries of each of these replays ended in which way. */
async function countEnds(db: Db, ids: string[]) {
  const ended = (status: ReplayEnd) => sql<number>`(${count()} filter (where ${deliveries.status} = ${status}))::int`;
  const rows = await db
    .select({
      replayId: deliveries.replayId,
      delivered: ended('success'),
      failed: ended('failed'),
      cancelled: ended('cancelled'),
    })
    .from(deliveries)
    .where(inArray(deliveries.replayId, ids))
    .groupBy(deliveries.replayId);
  return new Map(rows.map(({ replayId, ...ends }) => [replayId, ends]));
}

const NONE_ENDED = { delivered: 0, failed: 0, cancelled: 0 };
