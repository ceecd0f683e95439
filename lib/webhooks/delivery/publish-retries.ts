import type { Ctx } from '#lib/ctx.ts';
import type { QueueMessage } from '#lib/platform/queue.ts';
import { sha256Hex } from '#lib/platform/secretbox.ts';
import type { Recorded } from './record.ts';
import { delaySecondsAfter } from './schedule.ts';

/** Announced attempts under way at one host, and so also for one webhook (design section 6). */
const MOST_AT_A_HOST = 8;

/** The callback that makes an attempt. `deduplicationId` names the announcement, not the attempt. */
export const callbackOf = (attempt: {
  deliveryId: string;
  attempt: number;
  host: string;
  deduplicationId: string;
}): QueueMessage => ({
  path: '/api/queue/deliver',
  body: { delivery_id: attempt.deliveryId, attempt: attempt.attempt },
  deduplicationId: attempt.deduplicationId,
  // Hashed: a key that QStash refuses would keep the whole batch from being announced.
  flowControl: { key: `host-${sha256Hex(attempt.host).slice(0, 32)}`, parallelism: MOST_AT_A_HOST },
});

/**
 * Schedules the next attempt of each delivery that has one: one QStash message each, all in one request. Called after
 * the outcome is stored. A failure is logged and not thrown: due times stand in the database, the sweeper publishes them.
 */
export async function publishRetries(ctx: Ctx, recorded: readonly Recorded[]): Promise<void> {
  const messages = recorded.flatMap(({ deliveryId, status, nextAttempt, host }) => {
    const delaySeconds = delaySecondsAfter(nextAttempt - 1);
    if (status !== 'retrying' || delaySeconds === null) return [];
    const deduplicationId = `${deliveryId}-${nextAttempt}`;
    return [{ ...callbackOf({ deliveryId, attempt: nextAttempt, host, deduplicationId }), delaySeconds }];
  });
  if (messages.length === 0) return;
  try {
    await ctx.queue.publish(messages);
  } catch (err) {
    ctx.log.warn(
      { err, retries: messages.length },
      'Retries were not taken by the queue; the sweeper will bring them back',
    );
  }
}
