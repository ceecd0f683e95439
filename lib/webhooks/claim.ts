import { type SQL, sql } from 'drizzle-orm';
import { deliveries, deliveryAttempts, events, webhooks } from '#drizzle/schema/events.ts';
import type { Ctx } from '#lib/ctx.ts';
import { bulkRows, textArray } from '#lib/platform/bulk.ts';
import { env } from '#lib/platform/env.ts';
import { newId } from '#lib/platform/ids.ts';

/** An attempt that is ours to make until its lease ends. */
export type Claimed = {
  attemptId: string;
  deliveryId: string;
  attempt: number;
  webhookId: string;
  url: string;
  sealedSecret: string;
  eventId: string;
  body: string;
  isTest: boolean;
};

/** Beyond the exchange itself, an attempt may wait this long to be recorded. */
const LEASE_MARGIN_MS = 20_000;

/** How long a claim holds, in milliseconds: longer than an attempt can take. */
export const leaseMs = (): number => env().WEBHOOK_TIMEOUT_MS + LEASE_MARGIN_MS;

export const leaseEnd = (): SQL => sql`now() + make_interval(secs => ${leaseMs() / 1000}::float8)`;

/** Marks the deliveries of `picked` as under way and opens their attempt rows, all in one statement. */
async function claimPicked(ctx: Ctx, picked: SQL, atMost: number): Promise<Claimed[]> {
  const attemptIds = Array.from({ length: atMost }, () => newId('att', ctx.random));
  const result = await ctx.db.execute<Claimed>(sql`
    with recursive ${picked},
    claimed as (
      update ${deliveries} d set leased_until = ${leaseEnd()} from picked where d.id = picked.id
      returning d.id, d.next_attempt, d.event_id, d.webhook_id
    ),
    started as (
      insert into ${deliveryAttempts} (id, delivery_id, attempt, started_at)
      select (${textArray(attemptIds)})[row_number() over ()], id, next_attempt, clock_timestamp() from claimed
      returning id, delivery_id
    )
    select started.id as "attemptId", c.id as "deliveryId", c.next_attempt as attempt, w.id as "webhookId", w.url,
      w.sealed_secret as "sealedSecret", e.id as "eventId", e.body, e.is_test as "isTest"
    from claimed c
    join started on started.delivery_id = c.id
    join ${webhooks} w on w.id = c.webhook_id
    join ${events} e on e.id = c.event_id`);
  return result.rows;
}

/**
 * Claims attempt number `attempt` of a delivery, whatever its due time says: the caller was told by the queue that it
 * is time. Compare-and-set on the number, so a duplicate callback gets null; so does one for a delivery that has
 * ended, is under way, or whose webhook is inactive.
 */
export async function claimAttempt(ctx: Ctx, deliveryId: string, attempt: number): Promise<Claimed | null> {
  const picked = sql`picked as (
      select d.id from ${deliveries} d join ${webhooks} w on w.id = d.webhook_id
      where d.id = ${deliveryId} and d.next_attempt = ${attempt} and d.status in ('pending', 'retrying')
        and d.leased_until is null and w.active and w.deleted_at is null
      for no key update of d
    )`;
  const [claimed] = await claimPicked(ctx, picked, 1);
  return claimed ?? null;
}

/** What a slice has under way, so that a claim fills it up without going over. */
export interface Room {
  /** Attempts that may still start. */
  capacity: number;
  /** Of a webhook that the slice knows nothing about. */
  perNewWebhook: number;
  /** Attempts that may still start, by webhook that the slice knows. */
  left: ReadonlyMap<string, number>;
  /** Webhooks are visited in id order from after this one, so that none is always served first. */
  afterWebhookId: string;
}

/**
 * Claims due first attempts, in the events' order within a webhook and a few a webhook, skipping what others hold. It
 * steps through the webhooks that have something waiting, so one webhook's backlog hides nobody else's.
 */
export async function claimFirstAttempts(ctx: Ctx, room: Room): Promise<Claimed[]> {
  const leftRows = [...room.left].map(([webhook_id, count]) => ({ webhook_id, count }));
  const picked = sql`waiting as (
      (select webhook_id from ${deliveries} where status = 'pending' and webhook_id > ${room.afterWebhookId}
        order by webhook_id limit 1)
      union all
      select (select d.webhook_id from ${deliveries} d where d.status = 'pending' and d.webhook_id > waiting.webhook_id
        order by d.webhook_id limit 1)
      from waiting where waiting.webhook_id is not null
    ),
    picked as (
      select next.id from waiting
      join ${webhooks} w on w.id = waiting.webhook_id and w.active and w.deleted_at is null
      left join ${bulkRows('known', { webhook_id: 'text', count: 'integer' }, leftRows)} on known.webhook_id = w.id
      cross join lateral (
        select d.id from ${deliveries} d
        where d.webhook_id = w.id and d.status = 'pending' and d.leased_until is null and d.due_at <= now()
        order by d.event_sequence
        limit coalesce(known.count, ${room.perNewWebhook}::integer)
        for no key update skip locked
      ) next
      limit ${room.capacity}
    )`;
  return claimPicked(ctx, picked, room.capacity);
}
