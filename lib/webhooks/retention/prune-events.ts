import { sql } from 'drizzle-orm';
import { deliveries, deliveryAttempts, events } from '#drizzle/schema/events.ts';
import { textArray } from '#lib/base/bulk.ts';
import type { Tx } from '#lib/base/db.ts';
import { env } from '#lib/base/env.ts';
import type { Ctx } from '#lib/ctx.ts';
import { emptyPayloads } from '#lib/events/append.ts';

/** Events and attempts that one statement takes on: it must not hold rows for long. */
const EVENTS = 500;
const ATTEMPTS = 5_000;

interface Pruned {
  /** Events whose payload went. */
  events: number;
  attempts: number;
  /** The time was up while something may still be to prune. */
  more: boolean;
}

/**
 * Empties the payloads of events older than WEBHOOK_RETENTION_DAYS and deletes the attempts of their deliveries, the oldest
 * first, batch after batch until `deadlineMs` (of ctx.clock), and at least one batch. Events and deliveries themselves stay,
 * so the log keeps its lines. Never an event that waits for its deliveries or has one that has not ended. Safe beside itself.
 */
export async function pruneEvents(ctx: Ctx, deadlineMs: number): Promise<Pruned> {
  const pruned: Pruned = { events: 0, attempts: 0, more: false };
  for (;;) {
    const batch = await ctx.db.transaction(async (tx) =>
      pruneLocked(tx, await lockPrunable(tx, env().WEBHOOK_RETENTION_DAYS)),
    );
    pruned.events += batch.events;
    pruned.attempts += batch.attempts;
    if (batch.events + batch.attempts === 0) return pruned;
    if (ctx.clock.nowMs() >= deadlineMs) return { ...pruned, more: true };
  }
}

const unfinished = sql`(d.status in ('pending', 'retrying') or d.leased_until is not null)`;
const isEnded = sql`(
  not exists (select from ${deliveries} d where d.event_id = e.id and d.resend_of is null and ${unfinished})
  and not exists (select from ${deliveries} d where d.event_id = e.id and d.resend_of is not null and ${unfinished}))`;

/** The lock is the strong one: an event to which a delivery is being added just now is passed over, and none is added later. */
async function lockPrunable(tx: Tx, days: number): Promise<string[]> {
  const result = await tx.execute<{ id: string }>(sql`
    select e.id from ${events} e
    where e.pruned_at is null and e.fanned_out and e.created_at < now() - make_interval(days => ${days}::integer)
      and ${isEnded}
    order by e.created_at limit ${EVENTS} for update skip locked`);
  return result.rows.map(({ id }) => id);
}

/**
 * The payload of an event goes with the last of its attempts, else it is left for the next batch. A statement of its own: it
 * also sees the deliveries that were added before the lock was had, and leaves their events alone.
 */
async function pruneLocked(tx: Tx, ids: readonly string[]): Promise<{ events: number; attempts: number }> {
  const result = await tx.execute<{ events: number; attempts: number }>(sql`
    with locked as materialized (
      select e.id, e.created_at from ${events} e where e.id = any (${textArray(ids)}) and ${isEnded}
    ),
    old as materialized (select id, row_number() over (order by created_at, id) as rank from locked),
    doomed as materialized (
      select theirs.id, old.rank from old
      cross join lateral (
        select a.id from (
          select d.id from ${deliveries} d where d.event_id = old.id and d.resend_of is null
          union all
          select d.id from ${deliveries} d where d.event_id = old.id and d.resend_of is not null
        ) d join ${deliveryAttempts} a on a.delivery_id = d.id
        limit ${ATTEMPTS}
      ) theirs
      order by old.rank limit ${ATTEMPTS}
    ),
    gone as (delete from ${deliveryAttempts} a using doomed where a.id = doomed.id returning 1),
    -- Of the last event that a full batch reached, attempts may be left.
    cut as (select max(rank) as rank from doomed having count(*) = ${ATTEMPTS}::integer),
    emptied as (${emptyPayloads(sql`coalesce((select rank from cut), ${EVENTS}::integer + 1)`)})
    select (select count(*) from emptied)::integer as events, (select count(*) from gone)::integer as attempts`);
  return result.rows[0] ?? { events: 0, attempts: 0 };
}
