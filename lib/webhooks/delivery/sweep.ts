import { sql } from 'drizzle-orm';
import { deliveries, webhooks } from '#drizzle/schema/events.ts';
import type { Db } from '#lib/base/db.ts';
import { randomBase62 } from '#lib/base/ids.ts';
import type { Ctx } from '#lib/ctx.ts';
import { commitDueRotations } from '#lib/webhooks/secret.ts';
import { cancelDueUndeliverable } from './cancel.ts';
import { hostKey, releaseExpiredClaims } from './claim.ts';
import { leaveToSweep, publishCallbacks, type Retry, UNANNOUNCED } from './publish-retries.ts';

/**
 * A retry that is this late, in seconds, has lost its callback; or it waits its turn at its host, so each republishing waits
 * twice as long.
 */
const OVERDUE_SECONDS = 60;
/** So often the waiting time doubles: a retry for which there was no room was republished too, any number of times. */
const MOST_DOUBLINGS = 6;
/** What the queue did not take is published this long before it is due, in seconds: the next sweep may come after that. */
const AHEAD_SECONDS = 90;
/** Retries that one sweep brings back, by turns of the tenants, and those of them at one host: what waits there must not hide the others. */
const MOST = 1_000;
const MOST_OF_HOST = 250;
/** Of a host at which everything fails: who hangs there would not get through more before the next sweep. */
const MOST_OF_FAILING_HOST = 25;
/** Messages of one request to the queue. */
const BATCH = 100;
/** Cancelling goes on for this long; what is left is for the next sweep. */
const CANCEL_MS = 500;

/** Undelivered deliveries that a webhook may have while it fails and has never taken an event: anybody can register such. */
const MOST_UNDELIVERED = 1_000;
/** Webhooks whose undelivered a sweep counts, by lot: to count those of all would take seconds while a backlog is moving. */
const MOST_COUNTED = 100;

/** What a sweep did. */
interface SweepResult {
  /** Claims that ran out; their attempts are made again, unless that happened too often. */
  released: number;
  /** Deliveries that came due while their webhook was inactive or their event pruned. */
  cancelled: number;
  /** Retries whose callback was lost, or was not taken by the queue. */
  republished: number;
}

/**
 * Notes which webhooks have too many undelivered, or no longer: fan-out writes them nothing more that is to be sent. Counted
 * here and not for each event, which would wait for it; between two sweeps it may become a few more.
 */
async function noteFullBacklogs(db: Db): Promise<void> {
  const undelivered = (status: string) => sql`(select count(*) from (
    select from ${deliveries} d where d.webhook_id = w.id and d.status = ${sql.raw(`'${status}'`)} limit ${MOST_UNDELIVERED}::integer) d)`;
  await db.execute(sql`
    with counted as materialized (
      select w.id, w.backlog_full, ${undelivered('pending')} + ${undelivered('retrying')} >= ${MOST_UNDELIVERED}::integer as is_full
      from (
        select * from ${webhooks} w
        where w.active and w.deleted_at is null and w.failing_since is not null and w.first_success_at is null
        order by random() limit ${MOST_COUNTED}::integer
      ) w
    ),
    changed as (
      select w.id, counted.is_full from counted join ${webhooks} w on w.id = counted.id
      where counted.is_full <> w.backlog_full and w.failing_since is not null and w.first_success_at is null
      for no key update of w skip locked
    )
    update ${webhooks} w set backlog_full = changed.is_full from changed where w.id = changed.id`);
}

/**
 * Brings back what was lost between two steps: claims of functions that died, and retries that were stored but whose
 * callback never came or was refused by the queue. A republished callback has a deduplication id of its own, because the queue would swallow the
 * first one's for ten minutes. Tenants take turns, and
 * of one the retries republished least come first. What the queue does not take now is published by the
 * next sweep. Rotations of a secret whose time is over are written down, and so is which backlogs are full.
 */
export async function sweepDeliveries(ctx: Ctx): Promise<SweepResult> {
  await commitDueRotations(ctx.db);
  const released = await releaseExpiredClaims(ctx);
  const cancelled = await cancelUndeliverable(ctx);
  await noteFullBacklogs(ctx.db);
  const isOverdue = sql`d.status = 'retrying' and d.leased_until is null and (d.sweeps = ${UNANNOUNCED}::integer
    or d.due_at < now() - make_interval(secs => ${OVERDUE_SECONDS}::integer * power(2, least(d.sweeps, ${MOST_DOUBLINGS}::integer))))`;
  const overdue = await ctx.db.execute<Omit<Retry, 'republished'> & { sweeps: number }>(sql`
    with late as (
      select d.id, d.sweeps, d.due_at, w.tenant_id, row_number() over (partition by ${hostKey} order by d.sweeps, d.due_at) as rank,
        bool_and(w.failing_since is not null) over (partition by ${hostKey}) as failing
      from ${deliveries} d join ${webhooks} w on w.id = d.webhook_id
      where d.due_at < now() + make_interval(secs => ${AHEAD_SECONDS}::integer) and ${isOverdue}
    ),
    chosen as materialized (
      select id from late where rank <= case when failing then ${MOST_OF_FAILING_HOST}::integer else ${MOST_OF_HOST}::integer end
      order by row_number() over (partition by tenant_id order by sweeps, due_at), sweeps, due_at limit ${MOST}::integer
    ),
    overdue as (
      select d.id from ${deliveries} d where d.id in (select id from chosen) and ${isOverdue}
      order by d.id for no key update skip locked
    )
    update ${deliveries} d set sweeps = d.sweeps + 1 from overdue, ${webhooks} w
    where d.id = overdue.id and w.id = d.webhook_id
    returning d.id as "deliveryId", d.next_attempt as attempt, ${hostKey} as host, d.sweeps,
      greatest(0, ceil(extract(epoch from d.due_at - now())))::integer as "delaySeconds"`);
  const retries = overdue.rows.map(({ sweeps, ...retry }) => ({
    ...retry,
    republished: sweeps,
    // A refused one may be refused any number of times: that is not counted, so its id cannot be a count.
    suffix: sweeps > 0 ? `s${sweeps}` : `r${randomBase62(ctx.random, 8)}`,
  }));
  return { released, cancelled, republished: await publishAll(ctx, retries) };
}

/** Publishes a request after the other. Gives how many messages the queue took. */
async function publishAll(ctx: Ctx, retries: readonly Retry[]): Promise<number> {
  let taken = 0;
  for (let from = 0; from < retries.length; from += BATCH) {
    const takenOfBatch = await publishCallbacks(ctx, retries.slice(from, from + BATCH));
    taken += takenOfBatch;
    // A queue that takes none would be waited for once more with each request.
    if (takenOfBatch > 0) continue;
    await leaveToSweep(ctx, retries.slice(from + BATCH));
    break;
  }
  return taken;
}

async function cancelUndeliverable({ db, clock }: Ctx): Promise<number> {
  const deadlineMs = clock.nowMs() + CANCEL_MS;
  let total = 0;
  for (;;) {
    const { cancelled, more } = await cancelDueUndeliverable(db);
    total += cancelled;
    if (!more || clock.nowMs() >= deadlineMs) return total;
  }
}
