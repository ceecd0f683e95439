import { type SQL, sql } from 'drizzle-orm';
import { deliveries, events, replays, webhooks } from '#drizzle/schema/events.ts';
import { textArray } from '#lib/base/bulk.ts';
import type { Db, Tx } from '#lib/base/db.ts';
import type { Ctx } from '#lib/ctx.ts';
import { deliveryIdAt } from '#lib/webhooks/delivery-id.ts';
import { isSubscribed } from '#lib/webhooks/subscription.ts';

/** Deliveries of one replay that may wait or be retried at once: live events must find room beside them. */
const MAX_UNFINISHED = 100;
/** Replays that one slice takes on, and events that it looks at for each. */
const REPLAYS = 10;
const EXAMINED = 2_000;
/** Sequence and time of events may disagree by as long as one statement takes; this is far more. */
export const DISORDER_MINUTES = 10;

/** Whether delivery `d` keeps its event from being sent again: it has not ended, or it succeeded and only failures are asked for. */
const stands = (d: SQL): SQL =>
  sql`(${d}.status in ('pending', 'retrying') or ${d}.leased_until is not null
    or (r.selection = 'failed' and ${d}.status = 'success'))`;

/**
 * Joins the delivery `o` that event `e` brought webhook `w`; none when the webhook was not there yet, or its log was not kept. One
 * look into an index for each event, whatever the planner knows of the table.
 */
export const withOriginal = sql`left join lateral (
    select d.id, d.status, d.leased_until, d.next_attempt, d.cancel_reason from ${deliveries} d
    where d.event_id = e.id and d.webhook_id = w.id and d.resend_of is null limit 1
  ) o on true`;

/**
 * Whether replay `r` would send event `e` to webhook `w` once more, were its payload there: an event of its time and types that
 * the webhook wants now and that is not on its way already. With `failed` nothing of it was ever delivered since the webhook is
 * there, whether attempts failed or none were made; with `all` it may have been, and may be older than the webhook. An event
 * that waits to be fanned out comes by itself, unless it is older. What was sent again is looked for by its event: a planner
 * that knows too little of the table would go through all deliveries of the webhook, for each event.
 */
export const isSelected = sql`((e.fanned_out or e.created_at < w.created_at) and not e.is_test
  and e.created_at >= r.from_time and e.created_at < r.to_time
  and ${isSubscribed} and (r.event_types is null or e.type = any (r.event_types))
  and (o.id is not null or r.selection = 'all' or e.created_at >= w.created_at)
  and (o.id is null or not ${stands(sql`o`)})
  and not exists (
    select from (select * from ${deliveries} where event_id = e.id and resend_of is not null offset 0) x
    where x.webhook_id = w.id and ${stands(sql`x`)}))`;

const unfinished = sql`(select count(*) from ${deliveries} d
  where d.replay_id = r.id and d.status in ('pending', 'retrying'))`;
const hasRoom = sql`${unfinished} < ${MAX_UNFINISHED}`;
const isLive = sql`(w.active and w.deleted_at is null)`;

/** True while a replay is running that a slice could bring further. */
export async function hasReplaysToWrite(db: Db): Promise<boolean> {
  const result = await db.execute<{ waiting: boolean }>(sql`
    select exists (select from ${replays} r where r.status = 'running' and ${hasRoom}) as waiting`);
  return result.rows[0]?.waiting ?? false;
}

/**
 * Locks some running replays that a slice can bring further or has to end, and their webhooks, passing over what others hold:
 * nothing is waited for, so nothing can deadlock. Which ones is left to chance, so that none hides another for long, and at
 * most one of each tenant: who has many running does not hide the others' either.
 */
async function lockSome(tx: Tx): Promise<string[]> {
  const result = await tx.execute<{ id: string }>(sql`
    with drawn as materialized (
      select distinct on (w.tenant_id) r.id from ${replays} r join ${webhooks} w on w.id = r.webhook_id
      where r.status = 'running' and (${hasRoom} or not ${isLive})
      order by w.tenant_id, random()
    )
    select r.id from ${replays} r join ${webhooks} w on w.id = r.webhook_id
    where r.id in (select id from drawn) and r.status = 'running'
    order by random() limit ${REPLAYS} for no key update of w, r skip locked`);
  return result.rows.map(({ id }) => id);
}

/** Writes the next deliveries of the locked replays, in the events' order, and with them how far each has come. */
async function writeNext(tx: Tx, replayIds: readonly string[]): Promise<{ written: number; moved: boolean }> {
  const result = await tx.execute<{ written: number; moved: boolean }>(sql`
    with running as (
      select r.id as replay_id, r.through_sequence, ${isLive} as live,
        greatest(0, ${MAX_UNFINISHED} - ${unfinished}) as room
      from ${replays} r join ${webhooks} w on w.id = r.webhook_id
      where r.id = any (${textArray(replayIds)})
    ),
    examined as (
      select running.replay_id, next.* from running
      cross join lateral (
        select id, sequence, type, project_id, created_at, fanned_out, is_test, pruned_at from ${events}
        where sequence > running.through_sequence order by sequence limit ${EXAMINED}
      ) next
      where running.live and running.room > 0
    ),
    owed as (
      select r.id as replay_id, r.created_at, e.id as event_id, e.sequence, w.id as webhook_id, o.id as resend_of,
        row_number() over (partition by r.id order by e.sequence) as rank
      from examined e
      join ${replays} r on r.id = e.replay_id
      join ${webhooks} w on w.id = r.webhook_id
      ${withOriginal}
      where e.pruned_at is null and ${isSelected}
    ),
    chosen as (select owed.* from owed join running using (replay_id) where rank <= room),
    -- An event that is pruned just now is waited for and falls out.
    held as (
      select e.id from ${events} e where e.id in (select event_id from chosen) and e.pruned_at is null
      order by e.id for key share
    ),
    written as (
      insert into ${deliveries} (id, event_id, webhook_id, event_sequence, resend_of, replay_id)
      select ${deliveryIdAt(sql`created_at`, sql`replay_id || ':' || event_id`)}, event_id, webhook_id, sequence,
        resend_of, replay_id
      from chosen where event_id in (select id from held) order by sequence
      on conflict do nothing
      returning replay_id
    ),
    reached as (
      select running.*, coalesce(c.count, 0) as chosen, c.through as chosen_through, coalesce(e.count, 0) as examined,
        e.through as examined_through, e.earliest
      from running
      left join (select replay_id, count(*), max(sequence) as through from chosen group by 1) c using (replay_id)
      left join (select replay_id, count(*), max(sequence) as through, min(created_at) as earliest from examined group by 1) e
        using (replay_id)
    ),
    judged as (
      select reached.*, (select count(*) from written where written.replay_id = reached.replay_id) as written, case
          when not live then 'cancelled'
          when room = 0 or chosen = room then 'running'
          when examined < ${EXAMINED}
            or earliest >= r.to_time + make_interval(mins => ${DISORDER_MINUTES}::integer) then 'finished'
          else 'running' end as status
      from reached join ${replays} r on r.id = reached.replay_id
    )
    update ${replays} r
    set written = r.written + judged.written,
      through_sequence = case when room > 0 and chosen = room then chosen_through
        else coalesce(examined_through, r.through_sequence) end,
      status = judged.status,
      ended_at = case when judged.status <> 'running' then now() end
    from judged where r.id = judged.replay_id
    returning judged.written::integer as written, judged.status <> 'running' or examined > 0 as moved`);
  return {
    written: result.rows.reduce((sum, row) => sum + row.written, 0),
    moved: result.rows.some(({ moved }) => moved),
  };
}

/**
 * Brings running replays further, slice after slice, until none has room or `deadlineMs` (of ctx.clock), and at least one
 * slice. A slice is one transaction: what dies with it is left as it was. The locks come first and the writing is a
 * statement of its own, so it sees all that their holder before has written. Returns how many deliveries were written.
 */
export async function writeReplays(ctx: Ctx, deadlineMs: number): Promise<number> {
  let written = 0;
  for (;;) {
    const slice = await ctx.db.transaction(async (tx) => {
      const replayIds = await lockSome(tx);
      return replayIds.length === 0 ? { written: 0, moved: false } : writeNext(tx, replayIds);
    });
    written += slice.written;
    if (!slice.moved || ctx.clock.nowMs() >= deadlineMs) return written;
  }
}
