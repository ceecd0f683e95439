import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { deliveries, events, webhooks } from '#drizzle/schema/events.ts';
import type { Db } from '#lib/base/db.ts';
import { env } from '#lib/base/env.ts';
import type { Ctx } from '#lib/ctx.ts';
import { LISTED_AT_ONCE, listFannedOut, markFannedOut } from '#lib/events/append.ts';
import { isSubscribed, waitsForLaunch } from '#lib/webhooks/subscription.ts';
import { holdWake } from './wake.ts';

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

/** True while an event waits for its deliveries. */
export async function hasEventsToFanOut(db: Db): Promise<boolean> {
  const result = await db.execute<{ waiting: boolean }>(
    sql`select exists (select from ${events} e where not fanned_out and not ${waitsForLaunch}) as waiting`,
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
  let written = 0;
  let analyseAt = ANALYSE.rows;
  for (;;) {
    const slice = await fanOutSlice(ctx.db, MAX_DELIVERIES);
    written += slice.deliveries;
    if (written >= analyseAt) {
      await tellPlanner(ctx);
      analyseAt = written * ANALYSE.times;
    }
    const isListed = await listAll(ctx, deadlineMs);
    if (slice.events === 0) return { deliveries: written, more: !isListed };
    if (ctx.clock.nowMs() >= deadlineMs) return { deliveries: written, more: true };
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
async function tellPlanner(ctx: Ctx): Promise<void> {
  try {
    await ctx.db.execute(sql`analyze (skip_locked) ${deliveries}`);
  } catch (err) {
    ctx.log.warn({ err }, 'the deliveries could not be analysed');
  }
}

/**
 * The next events whose deliveries fit into `maxDeliveries`, should every webhook want them all; the first one in parts, when
 * it alone does not. `events` is how many were taken on, `deliveries` how many of those it wrote are to be sent.
 */
export async function fanOutSlice(db: Db, maxDeliveries: number): Promise<{ events: number; deliveries: number }> {
  const keepsLog = sql`(w.deleted_at is null
    and (w.active or w.inactive_since > now() - make_interval(days => ${env().WEBHOOK_RETENTION_DAYS}::integer)))`;
  const result = await db.execute<{ events: number; deliveries: number }>(sql`
    with room as (
      select greatest(1, ${maxDeliveries}::integer / greatest(1, count(*)))::integer as events
      from ${webhooks} w where ${keepsLog}
    ),
    claimed as (
      select id, sequence, type, project_id, created_at, coalesce(fanned_out_through, '') as through
      from ${events} e where not fanned_out and not ${waitsForLaunch}
      order by sequence limit (select events from room) for no key update skip locked
    ),
    owed as (
      select e.id as event_id, e.sequence, w.id as webhook_id,
        case when w.active then case when w.backlog_full and w.failing_since is not null and w.first_success_at is null
            then 'backlog_full' end
          when w.disabled_at is null then 'webhook_paused' else 'webhook_disabled' end as reason
      from claimed e join ${webhooks} w
        on ${keepsLog} and w.created_at <= e.created_at and ${isSubscribed}
        and w.id > e.through
      order by e.sequence, w.id limit ${maxDeliveries}::integer
    ),
    written as (
      insert into ${deliveries} (id, event_id, webhook_id, event_sequence, status, due_at, cancel_reason)
      select 'del_' || substr(encode(sha256((event_id || ':' || webhook_id)::bytea), 'hex'), 1, 22), event_id, webhook_id,
        sequence, case when reason is null then 'pending' else 'cancelled' end, case when reason is null then now() end, reason
      from owed order by sequence
      on conflict (event_id, webhook_id) where resend_of is null do nothing
      returning status
    ),
    -- Materialised: inlined, it would be counted anew for each event wherever the planner expects one.
    cut as materialized (
      select max(webhook_id) as through, count(*) = ${maxDeliveries}::integer and (select events from room) = 1 as cut from owed
    ),
    marked as (${markFannedOut})
    select (select count(*) from marked)::integer as events, (select count(*) from written where status = 'pending')::integer as deliveries`);
  return result.rows[0] ?? { events: 0, deliveries: 0 };
}

/** How often a slice looks for events that were written since it began. */
const LOOK_MS = 25;
/** After so many looks in a row without any, waiting is left to the queue: a waiting function costs money too. */
const QUIET_LOOKS = 10;
/** Wakes are held back anew every so many looks: well before they would be let through. */
const RENEW_LOOKS = 100;

/**
 * Fans out what is written while a slice is at work, so that it takes no message to the queue for each event, nor another
 * slice. While it watches, `wakeDispatch` publishes nothing; who ends it must then look once more.
 */
export class Watch {
  readonly #ctx: Ctx;
  readonly #deadlineMs: number;
  readonly #ended: Promise<void>;
  #isOver = false;
  #quietLooks = 0;
  #failure: { error: unknown } | undefined;
  #look = Promise.withResolvers<void>();
  #news = Promise.withResolvers<void>();

  /** Watches until `deadlineMs` (of ctx.clock) at the latest. */
  constructor(ctx: Ctx, deadlineMs: number) {
    this.#ctx = ctx;
    this.#deadlineMs = deadlineMs;
    this.#ended = this.#autoRefresh();
  }

  /**
   * Resolves when deliveries were written that were not there before. Never once the watch is over: a dispatch past its
   * deadline would be woken by it again and again, without a turn in which its attempts could end.
   */
  get news(): Promise<void> {
    return this.#news.promise;
  }

  /** For who has nothing to do: waits for the next look, and is true while more of them are worth waiting for. */
  async stays(): Promise<boolean> {
    if (!this.#isOver && this.#quietLooks < QUIET_LOOKS) await this.#look.promise;
    return !this.#isOver && this.#quietLooks < QUIET_LOOKS;
  }

  /** Ends it. Throws what a look threw. */
  async end(): Promise<void> {
    this.#isOver = true;
    await this.#ended;
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  async #autoRefresh(): Promise<void> {
    try {
      for (let looks = 0; !this.#isOver && this.#ctx.clock.nowMs() < this.#deadlineMs; looks++) {
        if (looks % RENEW_LOOKS === 0) await holdWake(this.#ctx);
        await this.#lookOnce();
        this.#look.resolve();
        this.#look = Promise.withResolvers();
        await pause(LOOK_MS);
      }
    } catch (error) {
      this.#failure = { error };
    }
    this.#isOver = true;
    this.#look.resolve();
  }

  async #lookOnce(): Promise<void> {
    this.#quietLooks += 1;
    if (!(await hasEventsToFanOut(this.#ctx.db))) return;
    const { deliveries } = await fanOutEvents(this.#ctx, this.#deadlineMs);
    this.#quietLooks = 0;
    if (deliveries === 0) return;
    this.#news.resolve();
    this.#news = Promise.withResolvers();
  }
}
