import { sql } from 'drizzle-orm';
import { deliveries } from '#drizzle/schema/events.ts';
import { bulkRows } from '#lib/base/bulk.ts';
import { notPublished, type QueueMessage } from '#lib/base/queue.ts';
import { sha256Hex } from '#lib/base/secretbox.ts';
import type { Ctx } from '#lib/ctx.ts';

/** Callbacks in flight at one host, and so also for one webhook. */
const MOST_AT_A_HOST = 8;

/** In `sweeps` of a delivery: the queue did not take the callback of its next attempt. */
export const UNANNOUNCED = -1;

/** The next attempt of a delivery, which the queue is to call back. */
export interface Retry {
  deliveryId: string;
  attempt: number;
  host: string;
  delaySeconds: number;
  /** How many callbacks of the attempt came before this one: a callback that finds no room is put off by the newest alone. */
  republished: number;
  /** Tells this callback from those before it: the queue drops a deduplication id that it has seen. */
  suffix?: string;
}

const callbackOf = ({ deliveryId, attempt, host, delaySeconds, republished, suffix }: Retry): QueueMessage => ({
  path: '/api/queue/deliver',
  body: { delivery_id: deliveryId, attempt, republished },
  deduplicationId: suffix === undefined ? `${deliveryId}-${attempt}` : `${deliveryId}-${attempt}-${suffix}`,
  // Hashed: a key that QStash refuses would keep the whole batch from being published.
  flowControl: { key: `host-${sha256Hex(host).slice(0, 32)}`, parallelism: MOST_AT_A_HOST },
  ...(delaySeconds > 0 ? { delaySeconds } : {}),
});

/**
 * Publishes the callbacks of retries, all in one request. Never throws: those that the queue does not take are logged and left
 * to the next sweep, which publishes them in time. Gives how many it took.
 */
export async function publishCallbacks(ctx: Ctx, retries: readonly Retry[]): Promise<number> {
  const messages = retries.map(callbackOf);
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
      retries.filter((_retry, i) => messages[i] !== undefined && refused.has(messages[i])),
    );
    return messages.length - refused.size;
  }
}

/** Notes that nothing will call these attempts back. Where that fails too, the sweep finds them once they are overdue. */
export async function leaveToSweep(ctx: Ctx, retries: readonly Retry[]): Promise<void> {
  if (retries.length === 0) return;
  const given = bulkRows(
    'given',
    { id: 'text', attempt: 'integer' },
    retries.map(({ deliveryId, attempt }) => ({ id: deliveryId, attempt })),
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
    ctx.log.warn({ err, retries: retries.length }, 'Retries that the queue did not take could not be noted');
  }
}

/** A delivery of which an attempt has ended. */
interface Attempted {
  deliveryId: string;
  status: string;
  nextAttempt: number;
  retryDelaySeconds: number | null;
  host: string;
}

/** Schedules the next attempt of each delivery that has one. Called after the outcome is stored. Never throws. */
export async function publishRetries(ctx: Ctx, attempted: readonly Attempted[]): Promise<void> {
  const retries = attempted.flatMap<Retry>(
    ({ deliveryId, status, nextAttempt: attempt, host, retryDelaySeconds: delaySeconds }) => {
      if (status !== 'retrying' || delaySeconds === null) return [];
      return [{ deliveryId, attempt, host, delaySeconds, republished: 0 }];
    },
  );
  if (retries.length > 0) await publishCallbacks(ctx, retries);
}
