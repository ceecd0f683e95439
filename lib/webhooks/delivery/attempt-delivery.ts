import { sql } from 'drizzle-orm';
import { deliveries, webhooks } from '#drizzle/schema/events.ts';
import { randomBase62 } from '#lib/base/ids.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { CallbackOutcome } from '#lib/webhooks/schemas.ts';
import { storeOutcome } from './books.ts';
import { cancelUndeliverableAttempt } from './cancel.ts';
import { claimAttempt, hostKey } from './claim.ts';
import { heedNews } from './heed-news.ts';
import { announce, callbackOf, publishRetries } from './publish-retries.ts';
import { releaseExpiredLeases } from './release.ts';
import { openSender, performAttempt } from './send.ts';

/** A retry that finds no room comes back after a time between these, by chance, so that all do not come at once. */
const POSTPONED_SECONDS = { least: 30, most: 60 };
/** Each time it finds none the time doubles, so often: a backlog without end must not cost messages without end. */
const MOST_DOUBLINGS = 5;

/**
 * Puts a retry off for which there is no room, and publishes its callback for then. That is no attempt: its number stays.
 * Only the callback that was published last does so, as others would come back beside it. When the queue does not take the
 * callback, or we die before that, the sweep finds the retry.
 */
async function postpone(ctx: Ctx, deliveryId: string, attempt: number, republished: number): Promise<void> {
  const { least, most } = POSTPONED_SECONDS;
  const { rows } = await ctx.db.execute<{ host: string; sweeps: number; delaySeconds: number }>(sql`
    update ${deliveries} d
    set sweeps = d.sweeps + 1,
      due_at = now() + make_interval(secs => (${least}::integer + random() * ${most - least}::integer)
        * power(2, least(greatest(d.sweeps, 0), ${MOST_DOUBLINGS}::integer)))
    from ${webhooks} w
    where d.id = ${deliveryId} and w.id = d.webhook_id and d.next_attempt = ${attempt} and d.status = 'retrying'
      and d.leased_until is null and d.sweeps <= ${republished}::integer
    returning ${hostKey} as host, d.sweeps, floor(extract(epoch from d.due_at - now()))::integer as "delaySeconds"`);
  const [put] = rows;
  if (put === undefined) return;
  const message = callbackOf({
    deliveryId,
    attempt,
    host: put.host,
    deduplicationId: `${deliveryId}-${attempt}-p${randomBase62(ctx.random, 8)}`,
    republished: put.sweeps,
  });
  await announce(ctx, [{ deliveryId, attempt, message: { ...message, delaySeconds: put.delaySeconds } }]);
}

/**
 * Makes attempt number `attempt` of a delivery because the queue says it is time; the number decides, not the clock.
 * A duplicate callback does nothing; one for whose tenant there is no room is put off. Gives a plain answer once the outcome
 * is stored, also when the receiver failed: an error here would set off the queue's own back-off, which must not bend the
 * schedule.
 */
export async function attemptDelivery(
  ctx: Ctx,
  { delivery_id: deliveryId, attempt, republished = 0 }: { delivery_id: string; attempt: number; republished?: number },
): Promise<{ outcome: CallbackOutcome }> {
  let claimed = await claimAttempt(ctx, deliveryId, attempt);
  if (claimed === null && (await releaseExpiredLeases(ctx, deliveryId)) > 0) {
    claimed = await claimAttempt(ctx, deliveryId, attempt);
  }
  if (claimed === 'no_room') {
    await postpone(ctx, deliveryId, attempt, republished);
    return { outcome: 'postponed' };
  }
  if (claimed === null) {
    return { outcome: (await cancelUndeliverableAttempt(ctx.db, deliveryId, attempt)) ? 'cancelled' : 'not_claimed' };
  }
  const sender = openSender();
  try {
    const outcome = await performAttempt(ctx, sender, claimed);
    const recorded = await storeOutcome(ctx, outcome);
    if (recorded === undefined) return { outcome: 'not_claimed' };
    await publishRetries(ctx, [recorded]);
    await heedNews(ctx, [recorded]);
    return { outcome: recorded.status };
  } finally {
    await sender.close();
  }
}
