import { and, count, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { deliveries, events, replays, webhooks } from '#drizzle/schema/events.ts';
import { textArray } from '#lib/base/bulk.ts';
import { toIso, toIsoOrNull } from '#lib/base/clock.ts';
import { decodeCursor, toPage } from '#lib/base/cursor.ts';
import { isTimeout, isUniqueViolation } from '#lib/base/database-errors.ts';
import type { Db, Tx } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { type Ctx, nameOf } from '#lib/ctx.ts';
import { cancelAllOfReplay } from '#lib/webhooks/delivery/cancel.ts';
import { wakeDispatch } from '#lib/webhooks/delivery/wake.ts';
import {
  auditWebhook,
  lockActiveWebhook,
  ownWebhook,
  requireOwnWebhook,
  webhookNotFound,
} from '#lib/webhooks/registry/acting-tenant.ts';
import type { Replay, ReplayCount, StartReplay } from './contracts.ts';
import { DISORDER_MINUTES, isSelected, withOriginal } from './write-replays.ts';

/** Deliveries of one replay: more is asked for by mistake, and would take days. Nothing is counted beyond one more. */
const MAX_TOTAL = 100_000;
/** What a count may take: each event of the time has to be looked up, also those that are not owed. */
const COUNT_SECONDS = 5;

const fault = (field: string, message: string) =>
  new PlatformError('invalid_request', `${field}: ${message}.`, { errors: [{ field, message }] });

/** How many deliveries a replay would make, counted to one more than it may; nothing is written. Throws `webhook_not_found` and `invalid_request`. */
export async function countReplay(ctx: Ctx, webhookId: string, body: StartReplay): Promise<ReplayCount> {
  const { total, missed, pruned } = await countAsked(ctx, webhookId, body);
  return { dry_run: true, total, missed, pruned };
}

/**
 * Asks for the events of a time to be sent once more; they are written by `writeReplays`, a few at a time. Throws
 * `webhook_not_found`, `invalid_request` for more than a replay takes on, and `conflict` for an inactive webhook and while
 * another replay of it is running.
 */
export async function startReplay(ctx: Ctx, webhookId: string, body: StartReplay): Promise<Replay> {
  const owed = await countAsked(ctx, webhookId, body);
  if (owed.total > MAX_TOTAL) {
    throw fault('from', `More than ${MAX_TOTAL} events are too many: choose a shorter range`);
  }
  const started = await ctx.db
    .transaction(async (tx) => {
      await lockActiveWebhook(tx, ctx, webhookId);
      const rows = await tx
        .insert(replays)
        .values({
          id: newId('rpl', ctx.random),
          webhookId,
          fromTime: body.from,
          toTime: new Date(owed.toMs),
          selection: body.selection,
          eventTypes: body.event_types ?? null,
          total: owed.total,
          throughSequence: owed.afterSequence,
          requestedBy: nameOf(ctx.actor),
        })
        .returning();
      await auditWebhook(tx, ctx, 'webhook.replay', { id: webhookId });
      return toReplays(tx, rows);
    })
    .catch((error) => {
      if (!isUniqueViolation(error, 'replays_one_running')) throw error;
      throw new PlatformError(
        'conflict',
        'A replay of this webhook is running: cancel it, or wait until it has ended.',
      );
    });
  const [replay] = started;
  if (replay === undefined) throw new Error('The insert of a replay returned no row');
  await wakeDispatch(ctx);
  return replay;
}

/** Counts what is asked for, of one of the tenant's webhooks. */
async function countAsked(ctx: Ctx, webhookId: string, body: StartReplay): Promise<Obligation> {
  const [webhook] = await ctx.db.select({ events: webhooks.events }).from(webhooks).where(ownWebhook(ctx, webhookId));
  if (webhook === undefined) throw webhookNotFound();
  const strange = body.event_types?.findIndex((type) => !webhook.events.includes(type)) ?? -1;
  if (strange !== -1) throw fault(`event_types[${strange}]`, 'is no event type that the webhook subscribes to');
  const owed = await countSelected(ctx.db, webhookId, body);
  if (owed === null) throw fault('from', 'is too far back to count the events since: choose a shorter range');
  if (body.from.getTime() >= owed.toMs) throw fault('from', 'must lie in the past');
  return owed;
}

type Obligation = {
  total: number;
  missed: number;
  pruned: number;
  /** The end of the range, milliseconds since the epoch: never later than now (database clock). */
  toMs: number;
  /** Every event of the range comes after this one, by sequence. */
  afterSequence: number;
};

/** Counts what a replay of a webhook would send; null when that takes too long. */
export async function countSelected(
  db: Db,
  webhookId: string,
  { from, to, selection, event_types: eventTypes }: StartReplay,
): Promise<Obligation | null> {
  const owed = (
    pruned: boolean,
  ): SQL => sql`select o.id is null or (o.cancel_reason is not null and o.next_attempt = 1) as never_sent
    from asked r
    join ${webhooks} w on w.id = ${webhookId}
    join ${events} e on e.created_at >= r.from_time and e.created_at < r.to_time
      and (e.pruned_at is not null) = ${pruned}::boolean
    ${withOriginal}
    where ${isSelected}
    limit ${MAX_TOTAL + 1}::integer`;
  const statement = sql`
    with asked as (
      select ${from.toISOString()}::timestamptz as from_time,
        least(coalesce(${to?.toISOString() ?? null}::timestamptz, now()), now()) as to_time, ${selection}::text as selection,
        ${eventTypes === undefined ? sql`null::text[]` : textArray(eventTypes)} as event_types
    ),
    earliest as (
      select e.created_at as time from ${events} e, asked where e.created_at >= from_time order by e.created_at limit 1
    ),
    sendable as materialized (${owed(false)}),
    pruned as materialized (${owed(true)})
    select (select count(*) from sendable)::integer as total,
      (select count(*) from sendable where never_sent)::integer as missed,
      (select count(*) from pruned)::integer as pruned,
      (select floor(extract(epoch from to_time) * 1000) from asked)::float8 as "toMs",
      coalesce(
        (select min(e.sequence) - 1 from ${events} e, earliest
          where e.created_at >= time and e.created_at <= time + make_interval(mins => ${DISORDER_MINUTES}::integer)),
        (select max(sequence) from ${events}), 0)::float8 as "afterSequence"`;
  return db
    .transaction(async (tx) => {
      await tx.execute(sql.raw(`set local statement_timeout = '${COUNT_SECONDS}s'`));
      const result = await tx.execute<Obligation>(statement);
      const [counted] = result.rows;
      if (counted === undefined) throw new Error('A count gave no row');
      return counted;
    })
    .catch((error) => {
      if (isTimeout(error)) return null;
      throw error;
    });
}

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
async function findReplay(db: Db, webhookId: string, id: string): Promise<Replay> {
  const rows = await db
    .select()
    .from(replays)
    .where(and(eq(replays.id, id), eq(replays.webhookId, webhookId)));
  const [replay] = await toReplays(db, rows);
  if (replay === undefined) throw new PlatformError('not_found', 'This webhook has no such replay.');
  return replay;
}

/** Stored replays as answered, with what became of their deliveries. */
async function toReplays(db: Db, rows: readonly ReplayRow[]): Promise<Replay[]> {
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

/**
 * Ends a replay that is running: nothing more is written, and what it wrote and has not ended is cancelled. Throws
 * `webhook_not_found`, `not_found`, and `conflict` when it has ended already.
 */
export async function cancelReplay(ctx: Ctx, webhookId: string, id: string): Promise<Replay> {
  await requireOwnWebhook(ctx, webhookId);
  return ctx.db.transaction(async (tx) => {
    if (!(await endWhere(tx, and(eq(replays.webhookId, webhookId), eq(replays.id, id))))) {
      const { status } = await findReplay(tx, webhookId, id);
      throw new PlatformError('conflict', `This replay is ${status} already.`);
    }
    await cancelAllOfReplay(tx, id);
    await auditWebhook(tx, ctx, 'webhook.cancel_replay', { id: webhookId });
    return findReplay(tx, webhookId, id);
  });
}

/**
 * Ends the replay of a webhook that runs, if any. The caller has changed the webhook in this transaction and takes deliveries
 * afterwards: webhook, replay, deliveries is the order in which all lock.
 */
export const endReplaysOf = (tx: Tx, webhookId: string): Promise<boolean> =>
  endWhere(tx, eq(replays.webhookId, webhookId));

/** Gives whether one was running. */
async function endWhere(tx: Tx, condition: SQL | undefined): Promise<boolean> {
  const ended = await tx
    .update(replays)
    .set({ status: 'cancelled', endedAt: sql`now()` })
    .where(and(eq(replays.status, 'running'), condition))
    .returning({ id: replays.id });
  return ended.length > 0;
}
