import { setTimeout as pause } from 'node:timers/promises';
import { turns } from '@tranche/rules/turns.ts';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { events } from '#drizzle/schema/events.ts';
import { textArray } from '#lib/base/bulk.ts';
import { readCursor, writeCursor } from '#lib/base/cursor.ts';
import type { Db } from '#lib/base/db.ts';
import { env } from '#lib/base/env.ts';
import { fieldError, PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import { microseconds } from '#lib/events/append.ts';
import type { EventType } from '#lib/events/catalogue.ts';
import { actingTenant } from '#lib/webhooks/registry/acting-tenant.ts';
import { permittedEvents, requireKnownProject, requirePermittedEvents } from '#lib/webhooks/registry/check-webhook.ts';
import type { EventStatus } from '#lib/webhooks/schemas.ts';
import { isSubscribed } from '#lib/webhooks/subscription.ts';

/** An event as it is sent. */
interface Event {
  event_type: EventType;
  event_id: string;
}

interface Filters {
  types?: EventType[] | undefined;
  project?: string | undefined;
  min_amount_xrp?: bigint | undefined;
  statuses?: EventStatus[] | undefined;
  since?: Date | undefined;
}

/** Events that one page looks at, whatever it is that the caller wants of them: it bounds what a request costs. */
const EXAMINED = 5_000;

/** The caller as a webhook `w`, none of those there are, that subscribes to these types: what it may see is decided where that of a webhook is. */
const readerOf = (ctx: Ctx, { types, project, min_amount_xrp: minDrops, statuses }: Filters) => sql`(
  select null::text as id, ${actingTenant(ctx).tenantId}::text as tenant_id, ${textArray(types ?? permittedEvents(ctx))} as events,
    ${project ?? null}::text as project_id, ${minDrops?.toString() ?? null}::bigint as min_amount_drops,
    ${statuses === undefined ? sql`null::text[]` : textArray(statuses)} as statuses) w`;

/** A place in the list; anything else that a client makes of it only moves itself. */
interface Place {
  /** Everything up to here was looked at. */
  after: number;
  /** The last that was pruned when its reader began without a cursor, with older events that were kept: it never expected that one. */
  began: number;
}

const place = z
  .array(z.int().min(0))
  .min(1)
  .max(2)
  .transform(([after = 0, began = 0]): Place => ({ after, began }));
const cursorOf = ({ after, began }: Place): string => writeCursor(began > after ? [after, began] : [after]);

interface Page {
  events: { place: Place; event: Event }[];
  through: Place;
  more: boolean;
}

/** The events after a place, or from the oldest that is kept; null when some after the place were pruned. One statement. */
async function readPage(ctx: Ctx, from: Place | null, limit: number, filters: Filters): Promise<Page | null> {
  const since = filters.since?.toISOString() ?? null;
  const examined = sql`${events} where list_position > (select position from start) order by list_position limit ${EXAMINED}`;
  const { rows } = await ctx.db.execute<{
    position: number | null;
    body: string | null;
    through: number;
    more: boolean;
    pruned: number;
  }>(sql`
    with pruned as materialized (
      select coalesce(max(list_position), 0) as position from ${events}
      where pruned_at is not null and erased_at is null
    ),
    start as materialized (
      select greatest(
        coalesce(${from?.after ?? null}::bigint,
          -- No event is listed at a place before its own time.
          (select ${microseconds(sql`min(created_at)`)} - 1 from ${events} where pruned_at is null), pruned.position),
        ${microseconds(sql`${since}::timestamptz`)} - 1) as position from pruned
    ),
    page as materialized (
      select e.list_position as position, e.body
      from (select * from ${examined}) e cross join ${readerOf(ctx, filters)}
      where e.pruned_at is null and (${since}::timestamptz is null or e.created_at >= ${since}::timestamptz) and ${isSubscribed}
      order by e.list_position limit ${limit + 1}::integer
    ),
    looked as materialized (
      select case when (select count(*) from page) > ${limit}::integer
        then (select max(position) from (select position from page order by position limit ${limit}::integer) shown)
        else greatest((select position from start), (select max(list_position) from (select list_position from ${examined}) seen))
        end as through
    )
    select page.position::float8 as position, page.body, looked.through::float8 as through,
      coalesce((select max(list_position) from ${events}) > looked.through, false) as more,
      (select position from pruned)::float8 as pruned
    from looked left join page on page.position <= looked.through order by page.position`);
  const [first] = rows;
  if (first === undefined) throw new Error('A page of events gave no row');
  if (from !== null && first.pruned > Math.max(from.after, from.began)) return null;
  const at = (after: number): Place => ({ after, began: from === null ? first.pruned : from.began });
  return {
    events: rows.flatMap(({ position, body }) =>
      position === null || body === null ? [] : [{ place: at(position), event: JSON.parse(body) as Event }],
    ),
    through: at(first.through),
    more: first.more,
  };
}

/** Checks the filters as those of a webhook. Throws `invalid_request`. */
async function requirePermitted(ctx: Ctx, { types, project }: Filters): Promise<void> {
  requirePermittedEvents(ctx, types ?? [], 'types');
  await requireKnownProject(ctx, project, 'project');
}

const expired = (field: string) =>
  fieldError(
    field,
    `Events after this cursor were removed after ${env().WEBHOOK_RETENTION_DAYS} days. Start again without a cursor: you get every event that is still kept. Read from the API what you missed before`,
    { code: 'gone' },
  );

/**
 * The events that the caller's webhooks could receive, the oldest first, each as it is sent: those after the cursor, else from
 * the oldest that is kept. A list that never passes over an event (lib/events/append.ts). Throws `gone` for a cursor after
 * which events were pruned, and `invalid_request`.
 */
export async function listEvents(
  ctx: Ctx,
  { cursor, limit, ...filters }: Filters & { cursor?: string | undefined; limit: number },
): Promise<{ events: Event[]; next_cursor: string; has_more: boolean }> {
  await requirePermitted(ctx, filters);
  const page = await readPage(ctx, cursor === undefined ? null : readCursor(cursor, place), limit, filters);
  if (page === null) throw expired('cursor');
  return {
    events: page.events.map(({ event }) => event),
    next_cursor: cursorOf(page.through),
    has_more: page.more,
  };
}

/** One event. Throws `not_found` for one that the caller's webhooks could not receive or have not been given yet, and `gone` once its payload was removed. */
export async function getEvent(ctx: Ctx, id: string): Promise<Event> {
  const { rows } = await ctx.db.execute<{ body: string }>(sql`
    select e.body from ${events} e cross join ${readerOf(ctx, {})}
    where e.id = ${id} and not e.is_test and e.fanned_out and ${isSubscribed}`);
  const [found] = rows;
  if (found === undefined) throw new PlatformError('not_found', 'There is no such event. Test events are not listed.');
  if (found.body === '') {
    throw new PlatformError('gone', 'The payload of this event was removed.');
  }
  return JSON.parse(found.body) as Event;
}

/** A stream ends by itself before the platform ends its function, which may run for 60 s (app/api/events/stream). */
export const STREAM_MS = 50_000;
/** How often new events are looked for, once a process, however many streams are open. */
const LOOK_MS = 500;
const BEHIND_MS = 100;
const PAGE = 100;
/** More reads of streams at a time would take the connections that payments need. */
const inTurn = turns(2);
/** Streams that are open at once in one process: what one user can take leaves most to others. */
export const STREAMS_AT_ONCE = { credential: 5, tenant: 20, address: 20, process: 200 };

/** How many streams each of them has open. */
const open = new Map<string, number>();

/** Takes a place among the open streams, until what it gives is called. Throws `service_unavailable`. */
function takeSeat(ctx: Ctx, caller: string): () => void {
  const { actor } = ctx;
  const credential = actor.kind === 'administrator' ? `administrator ${actor.name}` : actingTenant(ctx).keyId;
  const seats = [
    [`credential ${credential}`, STREAMS_AT_ONCE.credential, 'with this credential'],
    [`tenant ${actingTenant(ctx).tenantId}`, STREAMS_AT_ONCE.tenant, 'with credentials of yours'],
    [`address ${caller}`, STREAMS_AT_ONCE.address, 'from this address'],
    ['process', STREAMS_AT_ONCE.process, 'of all'],
  ] as const;
  for (const [of, most, whose] of seats) {
    if ((open.get(of) ?? 0) < most) continue;
    throw new PlatformError(
      'service_unavailable',
      `${most} streams ${whose} are open already. Close one, or try again in ${STREAM_MS / 1_000} s; GET /api/events has the same events.`,
      { headers: { 'retry-after': String(STREAM_MS / 1_000) }, isExpected: true },
    );
  }
  for (const [of] of seats) open.set(of, (open.get(of) ?? 0) + 1);
  return () => {
    for (const [of] of seats) {
      const left = (open.get(of) ?? 1) - 1;
      if (left === 0) open.delete(of);
      else open.set(of, left);
    }
  };
}

const looks = new WeakMap<Db, { atMs: number; newest: Promise<number> }>();

/** The last place of the list, which all streams of a process look up together. */
function newestPosition(db: Db): Promise<number> {
  const last = looks.get(db);
  if (last !== undefined && performance.now() - last.atMs < LOOK_MS / 2) return last.newest;
  const newest = db
    .execute<{ newest: number }>(sql`select coalesce(max(list_position), 0)::float8 as newest from ${events}`)
    .then(({ rows }) => rows[0]?.newest ?? 0);
  looks.set(db, { atMs: performance.now(), newest });
  return newest;
}

/** What a stream sends: `id` is the cursor of what comes after it. */
interface Sent {
  event: EventType | 'cursor';
  data: unknown;
  id: string;
}

/**
 * The same events as they happen: those after `lastEventId` or the cursor, from `since` on, or else from now on. First of all, and whenever
 * it has passed events that are not for the caller, it says where it is. Ends after `lengthMs`, or when `signal` is aborted.
 * Throws as `listEvents`, and `service_unavailable` while too many are open.
 */
export async function* streamEvents(
  ctx: Ctx,
  given: Filters & { lastEventId: string | null; cursor?: string | undefined; caller: string },
  signal: AbortSignal,
  lengthMs = STREAM_MS,
): AsyncGenerator<Sent> {
  const { lastEventId, cursor, caller, ...filters } = given;
  const field = lastEventId === null ? 'cursor' : 'Last-Event-ID';
  const start = lastEventId ?? cursor;
  const leave = takeSeat(ctx, caller);
  try {
    const endMs = performance.now() + lengthMs;
    const isOver = () => signal.aborted || performance.now() >= endMs;
    await requirePermitted(ctx, filters);
    let from: Place | null = null;
    if (start !== undefined) from = readCursor(start, place, field);
    else if (filters.since === undefined) from = { after: await newestPosition(ctx.db), began: 0 };
    let told: number | null = null;
    while (!isOver()) {
      const after: Place | null = from;
      const page = await inTurn(() => readPage(ctx, after, PAGE, filters));
      if (page === null) throw expired(field);
      for (const { place: here, event } of page.events) {
        yield { event: event.event_type, data: event, id: cursorOf(here) };
        if (isOver()) return;
        told = here.after;
      }
      from = page.through;
      // What is far behind, and finds nothing for itself, leaves others their turn.
      if (page.more && page.events.length === 0) await pause(BEHIND_MS, undefined, { signal }).catch(() => undefined);
      if (told !== from.after) {
        told = from.after;
        yield { event: 'cursor', data: { cursor: cursorOf(from) }, id: cursorOf(from) };
      }
      while (!page.more && !isOver() && (await newestPosition(ctx.db)) <= page.through.after) {
        await pause(LOOK_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  } finally {
    leave();
  }
}
