import { type SQL, sql } from 'drizzle-orm';
import { deliveries, events, webhooks } from '#drizzle/schema/events.ts';
import { textArray } from '#lib/base/bulk.ts';
import type { Db } from '#lib/base/db.ts';
import { hasBody } from './claim.ts';

/** Rows one statement takes on. */
const BATCH = 1_000;
/** Deliveries of one webhook, the newest, among which open ones are looked for when it is deleted or stopped. */
const EXAMINED = 10_000;

const isOpen = sql`d.status in ('pending', 'retrying')`;

/** Why delivery `d` is cancelled, as far as its webhook tells; of one that is active the payload is gone. */
const reasonOfWebhook = sql`(
  select case when w.deleted_at is not null then 'webhook_deleted' when w.disabled_at is not null then 'webhook_disabled'
    when not w.active then 'webhook_paused' else 'event_pruned' end
  from ${webhooks} w where w.id = d.webhook_id)`;

/**
 * Ends the open ones of `found`, where `still` holds once they are locked. Rows are locked in one order everywhere, so that no
 * two batches can deadlock.
 */
async function cancelFound(
  db: Db,
  found: SQL,
  { still = sql`true`, reason = reasonOfWebhook }: { still?: SQL; reason?: SQL } = {},
): Promise<number> {
  const result = await db.execute(sql`
    with found as materialized (${found}),
    open as (
      select d.id from ${deliveries} d where d.id in (select id from found) and ${isOpen} and ${still}
      order by d.id for no key update
    )
    update ${deliveries} d set status = 'cancelled', due_at = null, cancel_reason = ${reason} from open where d.id = open.id`);
  return result.rowCount ?? 0;
}

const isLive = sql`(w.active and w.deleted_at is null)`;
const isDue = sql`(d.leased_until is null and d.due_at <= now())`;

/**
 * Cancels what is due and cannot be delivered, a batch of each kind. Returns how many, and whether a batch was full. It looks
 * where such deliveries can be: beneath webhooks that are inactive or deleted, among retries, and among what was asked for
 * once more while its event was pruned. What else waits is not looked through.
 */
export async function cancelDueUndeliverable(db: Db): Promise<{ cancelled: number; more: boolean }> {
  const counts = [
    await cancelFound(
      db,
      sql`select next.id from ${webhooks} w cross join lateral (
          select d.id from ${deliveries} d where d.webhook_id = w.id and d.status = 'pending' and ${isDue}
          order by d.event_sequence limit ${BATCH}::integer
        ) next
        where not ${isLive} limit ${BATCH}::integer`,
      { still: isDue },
    ),
    await cancelFound(
      db,
      sql`select d.id from ${deliveries} d join ${webhooks} w on w.id = d.webhook_id and not ${isLive}
        where d.status = 'retrying' and ${isDue} limit ${BATCH}::integer`,
      { still: isDue },
    ),
    await cancelFound(
      db,
      sql`select d.id from ${deliveries} d join ${events} e on e.id = d.event_id and e.pruned_at is not null
        where d.resend_of is not null and ${isOpen} and ${isDue} limit ${BATCH}::integer`,
      { still: isDue },
    ),
  ];
  return { cancelled: counts.reduce((sum, count) => sum + count, 0), more: counts.includes(BATCH) };
}

/** Cancels one attempt whose time the queue has announced, if it cannot be delivered. True when it was cancelled. */
export async function cancelUndeliverableAttempt(db: Db, deliveryId: string, attempt: number): Promise<boolean> {
  const isWaiting = sql`d.next_attempt = ${attempt} and d.leased_until is null`;
  const found = sql`select d.id from ${deliveries} d join ${webhooks} w on w.id = d.webhook_id
    where d.id = ${deliveryId} and ${isOpen} and ${isWaiting} and not (${isLive} and ${hasBody})`;
  return (await cancelFound(db, found, { still: isWaiting })) > 0;
}

/**
 * Cancels what waits for a webhook that is deleted in this transaction: the newest, one batch, so that the deletion takes
 * effect at once whatever waits. Nobody claims the rest meanwhile; the sweep cancels it. An attempt under way ends by itself.
 */
export const cancelNewestOf = (db: Db, webhookId: string): Promise<number> =>
  cancelFound(
    db,
    sql`select d.id from (
        select d.id, d.status from ${deliveries} d where d.webhook_id = ${webhookId}
        order by d.created_at desc, d.id desc limit ${EXAMINED}::integer
      ) d where ${isOpen} limit ${BATCH}::integer`,
  );

/**
 * Cancels what waits for webhooks that are stopped in this transaction: of each the newest are looked at, and one batch of all
 * of them goes at once. Nothing is sent to an inactive webhook, and the sweep cancels the rest.
 */
export const cancelNewestOfStopped = (db: Db, webhookIds: readonly string[]): Promise<number> =>
  cancelFound(
    db,
    sql`select newest.id from unnest(${textArray(webhookIds)}) as stopped (id)
      cross join lateral (
        select d.id, d.status from ${deliveries} d where d.webhook_id = stopped.id
        order by d.created_at desc, d.id desc limit ${EXAMINED}::integer
      ) newest
      where newest.status in ('pending', 'retrying') limit ${BATCH}::integer`,
    { reason: sql`'webhook_paused'` },
  );

/** Cancels what a replay wrote and has not ended: it keeps that to far less than a batch. */
export const cancelAllOfReplay = (db: Db, replayId: string): Promise<number> =>
  cancelFound(db, sql`select d.id from ${deliveries} d where d.replay_id = ${replayId} and ${isOpen}`, {
    reason: sql`'replay_cancelled'`,
  });

/** Cancels what waits of an event that is erased in this transaction. What is in flight too: by this its outcome knows. */
export const cancelErased = (db: Db, eventId: string): Promise<number> =>
  cancelFound(db, sql`select d.id from ${deliveries} d where d.event_id = ${eventId} and ${isOpen}`, {
    reason: sql`'event_erased'`,
  });
