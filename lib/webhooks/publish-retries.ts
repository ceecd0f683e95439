import type { Ctx } from '#lib/ctx.ts';
import type { Recorded } from './record.ts';
import { delaySecondsAfter } from './schedule.ts';

/** The route that makes an announced attempt. */
export const DELIVER_PATH = '/api/queue/deliver' as const;

/**
 * Schedules the next attempt of each delivery that has one: one QStash message each, all in one request. Called after
 * the outcome is stored. A failure is logged and not thrown: due times stand in the database, the sweeper publishes them.
 */
export async function publishRetries(ctx: Ctx, recorded: readonly Recorded[]): Promise<void> {
  const messages = recorded.flatMap(({ deliveryId, status, nextAttempt }) => {
    const delaySeconds = delaySecondsAfter(nextAttempt - 1);
    if (status !== 'retrying' || delaySeconds === null) return [];
    return [
      {
        path: DELIVER_PATH,
        body: { delivery_id: deliveryId, attempt: nextAttempt },
        delaySeconds,
        deduplicationId: `${deliveryId}-${nextAttempt}`,
      },
    ];
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
