import { type SQL, sql } from 'drizzle-orm';
import { deliveries, events, webhooks } from '#drizzle/schema/events.ts';
import { arrayText } from '#lib/base/bulk.ts';
import { type Db, plannedOnce } from '#lib/base/db.ts';
import { env } from '#lib/base/env.ts';
import { fixedStatement, type Given } from '#lib/base/fixed-statement.ts';
import type { Ctx } from '#lib/ctx.ts';
import { hasEventsToList, LISTED_AT_ONCE, listFannedOut, markFannedOut } from '#lib/events/append.ts';
import { deliveryIdAt } from '#lib/webhooks/delivery-id.ts';
import { isSubscribed, waitsForLaunch } from '#lib/webhooks/subscription.ts';
import {
  columnsOfDelivery,
  columnsOfEvent,
  columnsOfTarget,
  columnsOfWebhook,
  type DueAttempt,
  type DueEvent,
  type DueWebhook,
  hostKey,
  isWaiting,
  known,
  leaseEnd,
  leaseSeconds,
  namesOfTarget,
  type Room,
  type RoomByName,
} from './claim.ts';

/** Deliveries that one statement writes, and events that it takes on. */
const MAX_DELIVERIES = 10_000;

/** After so many new rows the planner is told of them, and again whenever there are so many times as many. */
const ANALYSE = { rows: 5_000, times: 4 };

interface FannedOut {
  /** Written for the first time, and to be sent. */
  deliveries: number;
  /** The time was up while events may still wait. */
  more: boolean;
}

/** What a slice of a fan-out has done. */
export interface FannedOutSlice {
  /** Events that it took on. */
  events: number;
  /** Deliveries that it wrote and that are to be sent. */
  deliveries: number;
  /** More events may wait than it had room for. */
  isFull: boolean;
  /** Of those deliveries, the ones that were claimed as they were written. */
  claimed: DueAttempt[];
  /** Webhooks for which it wrote others, those that fail or have a rate limit excepted; and whether it wrote any for those. */
  backlog: string[];
  writesForLimited: boolean;
}

/** What a dispatch slice has room for at receivers that answered it quickly last. */
export type QuickRoom = Pick<Room, 'capacity' | 'webhooks' | 'hosts' | 'quick'>;

const NOBODY = { ofUnknown: 0, known: new Map<string, number>() };
const NO_ROOM: QuickRoom = { capacity: 0, webhooks: NOBODY, hosts: NOBODY, quick: new Set() };
/** Webhooks that one slice of a fan-out is told of: what goes to others is claimed afterwards. */
const MOST_TOLD = 256;

/**
 * True while an event waits for its deliveries. The order is for the planner: as long as nothing was analysed, it would go through
 * all events otherwise, and keep to that.
 */
export async function hasEventsToFanOut(db: Db): Promise<boolean> {
  const { rows } = await db.execute(
    sql`${plannedOnce} select from ${events} e where not fanned_out and not ${waitsForLaunch} order by e.sequence limit 1`,
  );
  return rows.length > 0;
}

/**
 * Gives every event that waits one delivery for each webhook that was there at its time and wants it now; of one that is
 * inactive, or whose backlog is full, a cancelled one, so that its log tells what it misses, as long as that can be sent again. In sequence order,
 * slice after slice until `deadlineMs` (of ctx.clock), and at least one slice. Each slice is one statement: what dies
 * with it is left as it was. What was paid beside a launch waits until that is decided. Safe beside itself: events that another run has in hand are skipped, and an event is done
 * when all its deliveries stand; then it is listed for GET /api/events. There is no cursor, because sequences commit out of order.
 */
export async function fanOutEvents(ctx: Ctx, deadlineMs: number): Promise<FannedOut> {
  const planner = new PlannerNews(ctx);
  let written = 0;
  for (;;) {
    const { isUnlisted, ...slice } = await writeSlice(ctx.db, {
      maxDeliveries: MAX_DELIVERIES,
      looksForUnlisted: true,
    });
    written += slice.deliveries;
    await planner.note(slice.deliveries);
    const isListed = (slice.events === 0 && !isUnlisted) || (await listAll(ctx, deadlineMs));
    if (slice.events === 0) return { deliveries: written, more: !isListed };
    if (ctx.clock.nowMs() >= deadlineMs) return { deliveries: written, more: true };
    if (!slice.isFull) return { deliveries: written, more: !isListed };
  }
}

/** False when it failed: what was fanned out is delivered all the same, and the next slice lists it. Never throws. */
export async function listAll(ctx: Ctx, deadlineMs: number): Promise<boolean> {
  try {
    while ((await listFannedOut(ctx.db)) === LISTED_AT_ONCE && ctx.clock.nowMs() < deadlineMs);
    return true;
  } catch (err) {
    ctx.log.warn({ err }, 'events could not be listed for GET /api/events');
    return false;
  }
}

/**
 * A planner that takes a table for small gathers and sorts the whole backlog for every claim, and the server itself looks
 * at what has grown a minute later at the earliest. A session that looks already does it for us. Never throws: without it claims
 * are slow, and what was written stands.
 */
export class PlannerNews {
  readonly #ctx: Ctx;
  #written = 0;
  #analyseAt = ANALYSE.rows;

  constructor(ctx: Ctx) {
    this.#ctx = ctx;
  }

  async note(written: number): Promise<void> {
    this.#written += written;
    if (this.#written < this.#analyseAt) return;
    this.#analyseAt = this.#written * ANALYSE.times;
    try {
      await this.#ctx.db.execute(sql`analyze (skip_locked) ${deliveries}, ${events}`);
    } catch (err) {
      this.#ctx.log.warn({ err }, 'the deliveries and their events could not be analysed');
    }
  }
}

const isUnlimited = sql`(w.rate_limit is null and w.failing_since is null)`;
/** Asked for by webhook: as a join the planner would go through all that waits, or was sent, once for each of them. */
const hasNothingWaiting = sql`(
  select d.id from ${deliveries} d where d.webhook_id = w.id and ${isWaiting} order by d.event_sequence limit 1) is null`;

/** Webhooks at which what is written may be claimed at once: no earlier delivery waits, and no rate limit or failure has a say. */
const freeAmongOwed = (quick: SQL): SQL => sql`
  select w.id, w.tenant_id, ${hostKey} as host, known.count
  from (select distinct webhook_id from owed where reason is null) o join ${quick} on known.name = o.webhook_id
  join ${webhooks} w on w.id = o.webhook_id and ${isUnlimited} where ${hasNothingWaiting}`;

/** Who takes turns when there are events waiting: how many more there are must not decide what a slice costs. */
const MOST_TURNS = 128;
const owner = sql`coalesce(e.project_id, '')`;
/** As the index by turns says it. */
const hasTurn = sql`e.fanned_out is not true`;
const waitingEvent = sql`e.id, e.sequence, e.type, e.project_id, e.created_at, coalesce(e.fanned_out_through, '') as through`;

/**
 * As many waiting events as there is `room` for, by turns: of each project and type in the order of their sequence, and the first
 * of each before the second of any. So an event waits for no backlog of another project, nor of another type, and none waits for
 * ever: the oldest of all has the first turn, and chance deals out the others, which would else always go to those with the next
 * oldest. Where there is room for one event, chance alone decides. It reads no more of a backlog than it takes, and looks for
 * turns only when there is not room for all.
 */
const eventsByTurns = sql`
    oldest as materialized (
      select ${waitingEvent} from ${events} e where not e.fanned_out and not ${waitsForLaunch}
      order by e.sequence limit (select events from room) for no key update skip locked
    ),
    kinds as (
      (select ${owner} as owner, e.type, 1 as rank from ${events} e
        where ${hasTurn} and (select count(*) from oldest) = (select events from room) order by 1, 2 limit 1)
      union all
      (select next.owner, next.type, kinds.rank + 1 from kinds cross join lateral (
        select ${owner} as owner, e.type from ${events} e
        where ${hasTurn} and (${owner}, e.type) > (kinds.owner, kinds.type) order by 1, 2 limit 1
      ) next where kinds.rank < ${MOST_TURNS}::integer)
    ),
    share as (
      select ceil(room.events::float8 / greatest(1, (select count(*) from kinds)))::integer as events from room
    ),
    first_of_kinds as materialized (
      select first.* from (
        select e.* from (select *, nullif(owner, '') as project_id from kinds) e where not ${waitsForLaunch}
      ) of_kind cross join lateral (
        select ${waitingEvent} from ${events} e
        where ${hasTurn} and ${owner} = of_kind.owner and e.type = of_kind.type
        order by e.sequence limit (select events from share) for no key update skip locked
      ) first
    ),
    claimed as materialized (
      select id, sequence, type, project_id, created_at, through from (
        select *, row_number() over (partition by project_id, type order by sequence) as turn
        from (table oldest union table first_of_kinds) candidates
      ) turns
      order by turn, (select events from room) > 1 and sequence > (select min(sequence) from oldest), random()
      limit (select events from room)
    )`;

const quickOf = ({ quick, webhooks: { known: left } }: QuickRoom): RoomByName => {
  const told = [...quick].flatMap((id) => {
    const count = left.get(id) ?? 0;
    return count > 0 ? [[id, count] as const] : [];
  });
  return { ofUnknown: 0, known: new Map(told.slice(0, MOST_TOLD)) };
};

/**
 * The next events whose deliveries fit into `maxDeliveries`, should every webhook want them all, `maxEvents` at most; the first
 * one in parts, when it alone does not. What the slice of `room` can begin is written as claimed by it, by turns of the tenants and in the events'
 * order within a webhook: a claim of its own would cost more than the attempt.
 */
export async function fanOutSlice(
  db: Db,
  maxDeliveries: number,
  room: QuickRoom = NO_ROOM,
  maxEvents = maxDeliveries,
): Promise<FannedOutSlice> {
  const { isUnlisted: _, ...slice } = await writeSlice(db, { maxDeliveries, maxEvents, room });
  return slice;
}

const keptDays = (): number => env().WEBHOOK_RETENTION_DAYS;

/** A webhook `w` that still has a log. */
const keepsLog = (days: Given): SQL => sql`(w.deleted_at is null
  and (w.active or w.inactive_since > now() - make_interval(days => ${days}::integer)))`;

/** The deliveries of the events `claimed`, `most` of them, with these columns more of the event `e` and the webhook `w`. */
const owedOf = (most: SQL, days: Given, columns: SQL = sql``): SQL => sql`
  select ${deliveryIdAt(sql`e.created_at`, sql`e.id || ':' || w.id`)} as id,
    e.id as event_id, e.sequence, w.id as webhook_id,
    case when w.active then case when w.backlog_full and w.failing_since is not null and w.first_success_at is null
        then 'backlog_full' end
      when w.disabled_at is null then 'webhook_paused' else 'webhook_disabled' end as reason${columns}
  from claimed e join ${webhooks} w
    on ${keepsLog(days)} and w.created_at <= e.created_at and ${isSubscribed}
    and w.id > e.through
  order by e.sequence, w.id limit ${most}`;

/**
 * Writes the deliveries `owed`, those that `begins` says as claimed for so long. Skips one that is there already,
 * and one whose id another has: a payer can search for transactions that give two deliveries one id, and these must not stop all others.
 */
const writeOwed = (begins: SQL, seconds: Given): SQL => sql`
  insert into ${deliveries} (id, event_id, webhook_id, event_sequence, status, due_at, cancel_reason, leased_until)
  select owed.id, event_id, webhook_id, sequence, case when reason is null then 'pending' else 'cancelled' end,
    case when reason is null then now() end, reason, case when ${begins} then ${leaseEnd(seconds)} end
  from owed order by sequence
  on conflict do nothing
  returning id, event_id, webhook_id, event_sequence, status, next_attempt, leased_until`;

/** What the short statement takes on and writes at most. */
export const FEW = { events: 8, deliveries: 32 };

const literal = (count: number): SQL => sql.raw(String(count));

/**
 * The same for the few events of a steady stream, in a shorter statement, which costs half as much: all that waits is taken on, and
 * what quick receivers get is claimed where their host has room for all, so nothing is dealt out by turns. Null, and nothing is written,
 * where more than a few wait, or there may be no room for them in the slice or at a quick receiver. Its limits stand in its text: given
 * apart, they would have it planned each time.
 */
export async function fanOutFew(db: Db, room: QuickRoom): Promise<FannedOutSlice | null> {
  const { known: quick } = quickOf(room);
  if (room.capacity < FEW.deliveries || [...quick.values()].some((count) => count < FEW.events)) return null;
  const hosts = [...room.hosts.known].flatMap(([host, count]) => (count < FEW.deliveries ? [] : [host]));
  const rows = await writeFew<Counts & (DueAttempt | { deliveryId: null })>(db, {
    quick: arrayText([...quick.keys()]),
    hosts: arrayText(hosts),
    seconds: leaseSeconds(),
    days: keptDays(),
  });
  const [first] = rows;
  if (first === undefined) throw new Error('Counts are always one row');
  const { events: count, deliveries: written, isFull, backlog, writesForLimited } = first;
  if (isFull) return null;
  const claimed = rows.filter((row) => row.deliveryId !== null);
  return { events: count, deliveries: written, isFull, claimed, backlog, writesForLimited };
}

const writeFew = fixedStatement<{ quick: string; hosts: string; seconds: number; days: number }>(
  ({ quick, hosts, seconds, days }) => sql`${plannedOnce}
    with few as materialized (
      select ${waitingEvent}, e.body, e.is_test from ${events} e where not e.fanned_out and not ${waitsForLaunch}
      order by e.sequence limit ${literal(FEW.events + 1)} for no key update skip locked
    ),
    claimed as materialized (select * from few where (select count(*) from few) <= ${literal(FEW.events)}),
    owed_by_few as materialized (${owedOf(
      literal(FEW.deliveries + 1),
      days,
      sql`, ${columnsOfTarget}, not ${isUnlimited} as limited,
        w.active and ${isUnlimited} and w.id = any (${quick}::text[]) and ${hostKey} = any (${hosts}::text[]) and ${hasNothingWaiting} as begins`,
    )}),
    owed as materialized (select * from owed_by_few where (select count(*) from owed_by_few) <= ${literal(FEW.deliveries)}),
    written as (${writeOwed(sql`begins`, seconds)}),
    cut as (
      select null::text as through, false as cut where (select count(*) from owed_by_few) <= ${literal(FEW.deliveries)}
    ),
    -- A join that could be hashed would go through all events as long as they are few, and a plan that is kept goes on with that.
    marked as (${markFannedOut(sql`e.id = any (array[claimed.id])`)})
    select counts.*, begun.* from (
      select (select count(*) from marked)::integer as events,
        (select count(*) from written where status = 'pending')::integer as deliveries,
        (select count(*) from few) > ${literal(FEW.events)}
          or (select count(*) from owed_by_few) > ${literal(FEW.deliveries)} as "isFull",
        array(select distinct webhook_id from owed where reason is null and begins is not true and not limited) as backlog,
        exists (select from owed where reason is null and limited) as "writesForLimited"
    ) counts left join (
      select ${columnsOfDelivery}, ${namesOfTarget}, sequence from written d join owed on owed.id = d.id where d.leased_until is not null
    ) begun on true order by begun.sequence`,
);

/** The same; `isUnlisted` where events that were fanned out before are not listed, because who did that has failed or died. */
async function writeSlice(
  db: Db,
  {
    maxDeliveries,
    maxEvents = maxDeliveries,
    room = NO_ROOM,
    looksForUnlisted = false,
  }: { maxDeliveries: number; maxEvents?: number; room?: QuickRoom; looksForUnlisted?: boolean },
): Promise<FannedOutSlice & { isUnlisted: boolean }> {
  const { rows } = await db.execute<Written>(sql`${plannedOnce}
    with recursive room as (
      select greatest(1, least(${maxEvents}::integer, ${maxDeliveries}::integer / greatest(1, count(*))))::integer as events
      from ${webhooks} w where ${keepsLog(keptDays())}
    ),
    ${eventsByTurns},
    owed as materialized (${owedOf(sql`${maxDeliveries}::integer`, keptDays())}),
    free as materialized (${freeAmongOwed(known(quickOf(room)))}),
    of_webhook as (
      select owed.id as delivery_id, free.id as webhook_id, free.tenant_id, free.host, free.count, row_number() over (partition by owed.webhook_id order by owed.sequence) as nth
      from owed join free on free.id = owed.webhook_id where owed.reason is null
    ),
    at_host as (
      select *, row_number() over (partition by host order by nth, webhook_id) as host_rank
      from of_webhook where nth <= of_webhook.count
    ),
    of_tenant as (
      select at_host.*, row_number() over (partition by tenant_id order by nth, webhook_id) as turn
      from at_host left join ${known(room.hosts)} on known.name = host
      where host_rank <= coalesce(known.count, ${room.hosts.ofUnknown}::integer)
    ),
    begun as (
      select delivery_id from (select delivery_id, row_number() over (order by turn, webhook_id) as rank from of_tenant) ranked
      where rank <= ${room.capacity}::integer
    ),
    -- Not a join: the planner expects one row, and would sort them all anew for each.
    written as (${writeOwed(sql`owed.id in (select delivery_id from begun)`, leaseSeconds())}),
    -- Materialised: inlined, it would be counted anew for each event wherever the planner expects one.
    cut as materialized (
      select max(webhook_id) as through, count(*) = ${maxDeliveries}::integer and (select events from room) = 1 as cut from owed
    ),
    marked as (${markFannedOut(sql`e.id = claimed.id`)}),
    waiting as (
      select w.id, not ${isUnlimited} as limited
      from (select distinct webhook_id from written where status = 'pending' and leased_until is null) d
      join ${webhooks} w on w.id = d.webhook_id
    ),
    counts as (
      select (select count(*) from marked)::integer as events,
        (select count(*) from written where status = 'pending')::integer as deliveries,
        (select count(*) from claimed) = (select events from room) as "isFull",
        array(select id from waiting where not limited) as backlog,
        exists (select from waiting where limited) as "writesForLimited",
        ${looksForUnlisted ? hasEventsToList : sql`false`} as "isUnlisted",
        (select json_agg(due) from (
          select ${columnsOfWebhook} from ${webhooks} w
          where w.id = any (array(select distinct webhook_id from written where leased_until is not null))
        ) due) as "dueWebhooks",
        (select json_agg(due) from (
          select ${columnsOfEvent} from ${events} e
          where e.id = any (array(select distinct event_id from written where leased_until is not null))
        ) due) as "dueEvents"
    )
    -- An event goes to many webhooks, and a webhook gets many: each is given once.
    select row_to_json(counts) as counts, null as "deliveryId", null as attempt, null as "leasedUntil", null as "webhookId",
      null as "eventId", null as sequence from counts
    union all
    select null, ${columnsOfDelivery}, d.webhook_id, d.event_id, d.event_sequence from written d where d.leased_until is not null
    order by sequence nulls first`);
  const [first, ...begun] = rows;
  if (first === undefined) throw new Error('Counts are always one row');
  const { dueWebhooks, dueEvents, ...counts } = first.counts;
  return { ...counts, claimed: begun.flatMap(dueAmong(dueWebhooks ?? [], dueEvents ?? [])) };
}

type Counts = Omit<FannedOutSlice, 'claimed'>;
/** What the long statement gives: first what it did, and to which webhooks and of which events; then what it claimed. */
type Written = {
  counts: Counts & { isUnlisted: boolean; dueWebhooks: DueWebhook[] | null; dueEvents: DueEvent[] | null };
} & Pick<DueAttempt, 'deliveryId' | 'attempt' | 'leasedUntil' | 'webhookId' | 'eventId'>;

function dueAmong(dueWebhooks: readonly DueWebhook[], dueEvents: readonly DueEvent[]) {
  const toWebhooks = new Map(dueWebhooks.map((due) => [due.webhookId, due]));
  const ofEvents = new Map(dueEvents.map((due) => [due.eventId, due]));
  return ({ deliveryId, attempt, leasedUntil, webhookId, eventId }: Written): DueAttempt[] => {
    const [webhook, event] = [toWebhooks.get(webhookId), ofEvents.get(eventId)];
    return webhook === undefined || event === undefined
      ? []
      : [{ deliveryId, attempt, leasedUntil, ...webhook, ...event }];
  };
}
