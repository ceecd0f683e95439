import { type SQL, sql } from 'drizzle-orm';
import { deliveries, events, webhooks } from '#drizzle/schema/events.ts';
import { type Db, plannedOnce } from '#lib/base/db.ts';
import { env } from '#lib/base/env.ts';
import type { Ctx } from '#lib/ctx.ts';
import { hasEventsToList, LISTED_AT_ONCE, listFannedOut, markFannedOut } from '#lib/events/append.ts';
import { isSubscribed, waitsForLaunch } from '#lib/webhooks/subscription.ts';
import type { Supply } from './attempt-limiter.ts';
import {
  claimedColumns,
  type DueAttempt,
  hostKey,
  isWaiting,
  known,
  leaseEnd,
  type Room,
  type RoomByName,
  returnClaims,
} from './claim.ts';
import { hearWakes, holdWake } from './wake.ts';

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
interface FannedOutSlice {
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

/** True while an event waits for its deliveries. */
export async function hasEventsToFanOut(db: Db): Promise<boolean> {
  const result = await db.execute<{ waiting: boolean }>(
    sql`${plannedOnce} select exists (select from ${events} e where not fanned_out and not ${waitsForLaunch}) as waiting`,
  );
  return result.rows[0]?.waiting ?? false;
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
async function listAll(ctx: Ctx, deadlineMs: number): Promise<boolean> {
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
class PlannerNews {
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
      await this.#ctx.db.execute(sql`analyze (skip_locked) ${deliveries}`);
    } catch (err) {
      this.#ctx.log.warn({ err }, 'the deliveries could not be analysed');
    }
  }
}

/**
 * Webhooks at which what is written may be claimed at once: no earlier delivery waits, and no rate limit or failure has a say. What
 * waits is asked for by webhook: as a join the planner would go through all that waits, or was sent, once for each of them.
 */
const freeAmongOwed = (room: QuickRoom): SQL => sql`
  select w.id, w.tenant_id, ${hostKey} as host, known.count
  from (select distinct webhook_id from owed where reason is null) o join ${known(quickOf(room))} on known.name = o.webhook_id
  join ${webhooks} w on w.id = o.webhook_id and w.rate_limit is null and w.failing_since is null
  where (select d.id from ${deliveries} d where d.webhook_id = w.id and ${isWaiting} order by d.event_sequence limit 1) is null`;

/** Who takes turns when there are events waiting: how many more there are must not decide what a slice costs. */
const MOST_TURNS = 128;
const owner = sql`coalesce(e.project_id, '')`;
/** As the index by turns says it. */
const hasTurn = sql`e.fanned_out is not true`;
const waitingEvent = sql`e.id, e.sequence, e.type, e.project_id, e.created_at, coalesce(e.fanned_out_through, '') as through`;

/**
 * As many waiting events as there is `room` for, by turns: of each project and type in the order of their sequence, and the first
 * of each before the second of any. So an event waits for no backlog of another project, nor of another type, and none waits for
 * ever: the oldest of all has always the first turn. It reads no more of a backlog than it takes, and looks for turns only when
 * there is not room for all.
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
      ) turns order by turn, sequence limit (select events from room)
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
  const keepsLog = sql`(w.deleted_at is null
    and (w.active or w.inactive_since > now() - make_interval(days => ${env().WEBHOOK_RETENTION_DAYS}::integer)))`;
  type Counts = Omit<FannedOutSlice, 'claimed'> & { isUnlisted: boolean };
  const { rows } = await db.execute<Counts & (DueAttempt | { deliveryId: null })>(sql`${plannedOnce}
    with recursive room as (
      select greatest(1, least(${maxEvents}::integer, ${maxDeliveries}::integer / greatest(1, count(*))))::integer as events
      from ${webhooks} w where ${keepsLog}
    ),
    ${eventsByTurns},
    owed as materialized (
      select 'del_' || substr(encode(sha256((e.id || ':' || w.id)::bytea), 'hex'), 1, 22) as id,
        e.id as event_id, e.sequence, w.id as webhook_id,
        case when w.active then case when w.backlog_full and w.failing_since is not null and w.first_success_at is null
            then 'backlog_full' end
          when w.disabled_at is null then 'webhook_paused' else 'webhook_disabled' end as reason
      from claimed e join ${webhooks} w
        on ${keepsLog} and w.created_at <= e.created_at and ${isSubscribed}
        and w.id > e.through
      order by e.sequence, w.id limit ${maxDeliveries}::integer
    ),
    free as materialized (${freeAmongOwed(room)}),
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
    written as (
      insert into ${deliveries} (id, event_id, webhook_id, event_sequence, status, due_at, cancel_reason, leased_until)
      select owed.id, event_id, webhook_id, sequence, case when reason is null then 'pending' else 'cancelled' end,
        case when reason is null then now() end, reason,
        -- Not a join: the planner expects one row, and would sort them all anew for each.
        case when owed.id in (select delivery_id from begun) then ${leaseEnd()} end
      from owed order by sequence
      on conflict (event_id, webhook_id) where resend_of is null do nothing
      returning id, event_id, webhook_id, event_sequence, status, next_attempt, leased_until
    ),
    -- Materialised: inlined, it would be counted anew for each event wherever the planner expects one.
    cut as materialized (
      select max(webhook_id) as through, count(*) = ${maxDeliveries}::integer and (select events from room) = 1 as cut from owed
    ),
    marked as (${markFannedOut}),
    waiting as (
      select w.id, w.rate_limit is not null or w.failing_since is not null as limited
      from (select distinct webhook_id from written where status = 'pending' and leased_until is null) d
      join ${webhooks} w on w.id = d.webhook_id
    ),
    counts as (
      select (select count(*) from marked)::integer as events,
        (select count(*) from written where status = 'pending')::integer as deliveries,
        (select count(*) from claimed) = (select events from room) as "isFull",
        array(select id from waiting where not limited) as backlog,
        exists (select from waiting where limited) as "writesForLimited",
        ${looksForUnlisted ? hasEventsToList : sql`false`} as "isUnlisted"
    )
    select counts.*, begun.* from counts left join (
      select ${claimedColumns()}, d.event_sequence from written d
      join ${webhooks} w on w.id = d.webhook_id join ${events} e on e.id = d.event_id where d.leased_until is not null
    ) begun on true order by event_sequence`);
  const {
    events: taken = 0,
    deliveries: written = 0,
    isFull = false,
    backlog = [],
    writesForLimited = false,
    isUnlisted = false,
  } = rows[0] ?? {};
  const claimed = rows.filter((row) => row.deliveryId !== null);
  return { events: taken, deliveries: written, isFull, claimed, backlog, writesForLimited, isUnlisted };
}

/**
 * How often a slice looks for events that were written since it began: a part of the usual time between them, so that looking
 * costs little beside delivering them.
 */
const LOOK_MS = { least: 3, most: 25 };
const LOOKS_AN_EVENT = 3;
/** After so long without any, waiting is left to the queue: a waiting function costs money too. */
const QUIET_MS = 250;
/** Wakes are held back anew so often: well before they would be let through. */
const RENEW_MS = 2_500;
/** Events are listed so often for GET /api/events: once for each would cost more than delivering it. */
const LIST_MS = 100;
/** And so often while a look goes on: it then is beside much else. */
const LIST_IN_A_LOOK_MS = 1_000;
/** Deliveries that one statement of a look writes: its own and what is written meanwhile wait for its end. The first one is short. */
const BESIDE = { first: 250, least: 64, most: 2_000 };
/** So long a look waits for room for what it writes next. Events of others wait for it too. */
const WAIT_FOR_ROOM_MS = 50;

/** What one statement of a look writes at most. */
interface Portion {
  deliveries: number;
  events: number;
}
const portionOf = (deliveries: number): Portion => ({ deliveries, events: deliveries });

/** A slice that takes in what is claimed for it. */
export interface Taker {
  room(): QuickRoom;
  /** Waits until it has room for what is written next, `ms` at most, and tells what it has to begin then. */
  supplyWithin(ms: number): Promise<Supply>;
  /**
   * Takes what was claimed for it, but for what would overtake earlier ones and has to be returned, and notes for which webhooks
   * something waits. `isTaken` tells that it claims all that by itself.
   */
  take(
    claimed: readonly DueAttempt[],
    backlog: readonly string[],
  ): { isTaken: boolean; overtaking: readonly DueAttempt[] };
}

/**
 * Fans out what is written while a slice is at work, so that it takes no message to the queue for each event, nor another
 * slice. While it watches, `wakeDispatch` publishes nothing; who ends it must then look once more. A wake of this process makes
 * it look at once.
 */
export class Watch {
  readonly #ctx: Ctx;
  readonly #deadlineMs: number;
  readonly #planner: PlannerNews;
  readonly #ended: Promise<void>;
  #isOver = false;
  #failure: { error: unknown } | undefined;
  #look = Promise.withResolvers<void>();
  #news = Promise.withResolvers<void>();
  #woken = Promise.withResolvers<void>();
  #isWoken = false;
  #looksForWake = false;
  #taker: Taker | null = null;
  /** Of performance.now(): when a look last found something, and the usual time between two of them. */
  #foundAtMs = performance.now();
  #gapMs = LOOK_MS.least * LOOKS_AN_EVENT;
  #heldAtMs = Number.NEGATIVE_INFINITY;
  /** Deliveries that the next statement of a look writes for a slice that is short of them. */
  #ofShort = BESIDE.least;
  #listing: Promise<unknown> | undefined;
  #isUnlisted = false;
  #listedAtMs = 0;

  /** Watches until `deadlineMs` (of ctx.clock) at the latest. */
  constructor(ctx: Ctx, deadlineMs: number) {
    this.#ctx = ctx;
    this.#deadlineMs = deadlineMs;
    this.#planner = new PlannerNews(ctx);
    this.#ended = this.#autoRefresh();
  }

  /**
   * Resolves when deliveries were written that were not there before, or may have been, and that nobody has claimed. Never once the
   * watch is over: a dispatch past its deadline would be woken by it again and again, without a turn in which its attempts could
   * end.
   */
  get news(): Promise<void> {
    return this.#news.promise;
  }

  /** From now on what is written goes to this slice, as far as that has room; to none with null. */
  giveTo(taker: Taker | null): void {
    this.#taker = taker;
  }

  /**
   * For who has nothing to do: waits for the next look, and is true while more of them are worth waiting for. After a wake the
   * next one always is: nobody else was woken.
   */
  async stays(): Promise<boolean> {
    if (!this.#isOver && !this.#isQuiet) await this.#look.promise;
    return !this.#isOver && !this.#isQuiet;
  }

  /** Ends it. Throws what a look threw. */
  async end(): Promise<void> {
    this.#isOver = true;
    this.#woken.resolve();
    await this.#ended;
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  get #isQuiet(): boolean {
    return !this.#isWoken && !this.#looksForWake && performance.now() - this.#foundAtMs >= QUIET_MS;
  }

  get #isAtWork(): boolean {
    return !this.#isOver && this.#ctx.clock.nowMs() < this.#deadlineMs;
  }

  async #autoRefresh(): Promise<void> {
    const stopHearing = hearWakes(this.#ctx, () => {
      this.#isWoken = true;
      this.#woken.resolve();
    });
    try {
      while (this.#isAtWork) {
        await this.#holdWakes();
        await this.#lookOnce();
        this.#look.resolve();
        this.#look = Promise.withResolvers();
        this.#listSometimes(LIST_MS);
        if (!this.#isWoken) await this.#pause();
      }
    } catch (error) {
      this.#failure = { error };
    }
    this.#isOver = true;
    stopHearing();
    this.#look.resolve();
    await this.#listing;
    if (this.#isUnlisted) await listAll(this.#ctx, this.#deadlineMs);
  }

  async #holdWakes(): Promise<void> {
    if (performance.now() - this.#heldAtMs < RENEW_MS) return;
    this.#heldAtMs = performance.now();
    await holdWake(this.#ctx);
  }

  /** Waits for the next look, or for a wake. */
  async #pause(): Promise<void> {
    const sinceMs = performance.now() - this.#foundAtMs;
    const lookMs = Math.max(this.#gapMs, sinceMs) / LOOKS_AN_EVENT;
    const timer = setTimeout(this.#woken.resolve, Math.min(Math.max(lookMs, LOOK_MS.least), LOOK_MS.most));
    await this.#woken.promise;
    clearTimeout(timer);
  }

  async #lookOnce(): Promise<void> {
    this.#looksForWake = this.#isWoken;
    this.#isWoken = false;
    this.#woken = Promise.withResolvers();
    const hasEvents = await hasEventsToFanOut(this.#ctx.db);
    if (hasEvents) await this.#fanOut();
    // Who wakes may have written deliveries and no event.
    else if (this.#looksForWake) this.#tell();
    this.#looksForWake = false;
  }

  async #fanOut(): Promise<void> {
    let portion: Portion | null = portionOf(BESIDE.first);
    while (portion !== null && this.#isAtWork) {
      await this.#holdWakes();
      const slice = await fanOutSlice(this.#ctx.db, portion.deliveries, this.#taker?.room(), portion.events);
      if (slice.events === 0) return;
      this.#noteFound();
      this.#isUnlisted = true;
      const { isTaken, overtaking } = this.#taker?.take(slice.claimed, slice.backlog) ?? {
        isTaken: false,
        overtaking: slice.claimed,
      };
      await returnClaims(this.#ctx, overtaking);
      if (slice.deliveries > 0 && !(isTaken && !slice.writesForLimited)) this.#tell();
      await this.#planner.note(slice.deliveries);
      this.#listSometimes(LIST_IN_A_LOOK_MS);
      portion = slice.isFull ? await this.#nextPortion(slice) : null;
    }
  }

  /**
   * What is claimed as it is written costs far less than what is claimed afterwards, so the next statement writes what the slice
   * has room for, once it has. A slice that has enough to begin gets little meanwhile, for the turns of others. One that is
   * short of it gets twice as much each time, and at last as much as fits without a pause: what is written for slow receivers
   * shall not keep back the rest.
   */
  async #nextPortion({ deliveries, events }: FannedOutSlice): Promise<Portion> {
    if (this.#taker === null || deliveries === 0) return portionOf(BESIDE.most);
    const portion = (most: number): Portion => ({
      deliveries: BESIDE.most,
      events: Math.max(1, Math.floor((most * events) / deliveries)),
    });
    const ofShort = this.#ofShort;
    const supply = await this.#taker.supplyWithin(ofShort === BESIDE.most ? 0 : WAIT_FOR_ROOM_MS);
    if (supply === 'short') {
      this.#ofShort = Math.min(ofShort * 2, BESIDE.most);
      return portion(ofShort);
    }
    this.#ofShort = Math.max(ofShort / 2, BESIDE.least);
    return portion(supply === 'room' ? (this.#taker?.room().capacity ?? 0) : BESIDE.least);
  }

  #noteFound(): void {
    const nowMs = performance.now();
    this.#gapMs = (this.#gapMs + Math.min(nowMs - this.#foundAtMs, LOOK_MS.most * LOOKS_AN_EVENT)) / 2;
    this.#foundAtMs = nowMs;
  }

  #tell(): void {
    this.#news.resolve();
    this.#news = Promise.withResolvers();
  }

  /** Beside the looks. */
  #listSometimes(everyMs: number): void {
    if (!this.#isUnlisted || this.#listing !== undefined || performance.now() - this.#listedAtMs < everyMs) return;
    this.#isUnlisted = false;
    this.#listing = listAll(this.#ctx, this.#deadlineMs).then((isListed) => {
      this.#isUnlisted ||= !isListed;
      this.#listedAtMs = performance.now();
      this.#listing = undefined;
    });
  }
}
