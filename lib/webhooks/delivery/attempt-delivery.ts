import type { Ctx } from '#lib/ctx.ts';
import type { CallbackOutcome } from '#lib/webhooks/schemas.ts';
import { storeOutcome } from './books.ts';
import { cancelUndeliverableAttempt } from './cancel.ts';
import { claimAttempt } from './claim.ts';
import { heedNews } from './heed-news.ts';
import { performAttempt } from './perform-attempt.ts';
import { publishRetries } from './publish-retries.ts';
import { releaseExpiredLeases } from './release.ts';
import { openSender } from './send.ts';

/**
 * Makes attempt number `attempt` of a delivery because the queue says it is time; the number decides, not the clock.
 * A duplicate callback does nothing. Gives a plain answer once the outcome is stored, also when the receiver failed:
 * an error here would set off the queue's own back-off, which must not bend the schedule (design section 6).
 */
export async function attemptDelivery(
  ctx: Ctx,
  { delivery_id: deliveryId, attempt }: { delivery_id: string; attempt: number },
): Promise<{ outcome: CallbackOutcome }> {
  let claimed = await claimAttempt(ctx, deliveryId, attempt);
  if (claimed === null && (await releaseExpiredLeases(ctx, deliveryId)) > 0) {
    claimed = await claimAttempt(ctx, deliveryId, attempt);
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
