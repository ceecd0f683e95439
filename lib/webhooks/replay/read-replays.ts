import { count, inArray, sql } from 'drizzle-orm';
import { deliveries, type replays } from '#drizzle/schema/events.ts';
import { toIso, toIsoOrNull } from '#lib/base/clock.ts';
import type { Db } from '#lib/base/db.ts';
import type { Replay } from './contracts.ts';

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
