import { sql } from 'drizzle-orm';
import { deliveries } from '#drizzle/schema/events.ts';
import { bulkRows } from '#lib/base/bulk.ts';
import { notPublished, type QueueMessage } from '#lib/base/queue.ts';
import { sha256Hex } from '#lib/base/secretbox.ts';
import type { Ctx } from '#lib/ctx.ts';
import { delaySecondsAfter } from './schedule.ts';

/** Announced attempts under way at one host, and so also for one webhook. */
const MOST_AT_A_HOST = 8;

/** In `sweeps` of a delivery: the queue did not take the callback of its next attempt. */
export const UNANNOUNCED = -1;

/**
 * The callback that makes an attempt. `deduplicationId` names the announcement, not the attempt; `republished` says how many
 * came before it, so that one which finds no room is put off by the newest of them alone.
 */
export const callbackOf = (attempt: {
  deliveryId: string;
  attempt: number;
  host: string;
  deduplicationId: string;
  republished: number;
}): QueueMessage => ({
  path: '/api/queue/deliver',
  body: { delivery_id: attempt.deliveryId, attempt: attempt.attempt, republished: attempt.republished },
  deduplicationId: attempt.deduplicationId,
  // Hashed: a key that QStash refuses would keep the whole batch from being announced.
  flowControl: { key: `host-${sha256Hex(attempt.host).slice(0, 32)}`, parallelism: MOST_AT_A_HOST },
});

/** A delivery whose next attempt is to be announced to the queue. */
export interface Announcement {
  deliveryId: string;
  attempt: number;
  message: QueueMessage;
}

/**
 * Publishes the callbacks, all in one request. Never throws: those that the queue does not take are logged and left to the
 * next sweep, which publishes them in time. Gives how many it took.
 */
export async function announce(ctx: Ctx, announcements: readonly Announcement[]): Promise<number> {
  const messages = announcements.map(({ message }) => message);
  try {
    await ctx.queue.publish(messages);
    return messages.length;
  } catch (err) {
    const refused = new Set(notPublished(messages, err));
    ctx.log.warn(
      { err, retries: refused.size },
      'Retries were not taken by the queue; the sweeper will bring them back',
    );
    await leaveToSweep(
      ctx,
      announcements.filter(({ message }) => refused.has(message)),
    );
    return messages.length - refused.size;
  }
}

/** Notes that nothing will call these attempts back. Where that fails too, the sweep finds them once they are overdue. */
export async function leaveToSweep(ctx: Ctx, announcements: readonly Announcement[]): Promise<void> {
  if (announcements.length === 0) return;
  const given = bulkRows(
    'given',
    { id: 'text', attempt: 'integer' },
    announcements.map(({ deliveryId, attempt }) => ({ id: deliveryId, attempt })),
  );
  try {
    await ctx.db.execute(sql`
      with unannounced as materialized (
        select d.id from ${given} join ${deliveries} d on d.id = given.id and d.next_attempt = given.attempt
        where d.status = 'retrying' and d.leased_until is null
        order by d.id for no key update of d
      )
      update ${deliveries} d set sweeps = ${UNANNOUNCED}::integer where d.id = any (array(select id from unannounced))`);
  } catch (err) {
    ctx.log.warn({ err, retries: announcements.length }, 'Retries that the queue did not take could not be noted');
  }
}

/** A delivery of which an attempt has ended. */
interface Attempted {
  deliveryId: string;
  status: string;
  nextAttempt: number;
  host: string;
}

/** Schedules the next attempt of each delivery that has one. Called after the outcome is stored. Never throws. */
export async function publishRetries(ctx: Ctx, attempted: readonly Attempted[]): Promise<void> {
  const announcements = attempted.flatMap<Announcement>(({ deliveryId, status, nextAttempt: attempt, host }) => {
    const delaySeconds = delaySecondsAfter(attempt - 1);
    if (status !== 'retrying' || delaySeconds === null) return [];
    const message = callbackOf({
      deliveryId,
      attempt,
      host,
      deduplicationId: `${deliveryId}-${attempt}`,
      republished: 0,
    });
    return [{ deliveryId, attempt, message: { ...message, delaySeconds } }];
  });
  if (announcements.length > 0) await announce(ctx, announcements);
}
