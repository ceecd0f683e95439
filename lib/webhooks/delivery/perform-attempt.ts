import type { Ctx } from '#lib/ctx.ts';
import type { Claimed } from './claim.ts';
import type { Outcome } from './record.ts';
import { delaySecondsAfter } from './schedule.ts';
import type { Sender } from './send.ts';
import { Signers } from './signers.ts';

/**
 * Makes a claimed attempt: signs the stored bytes and posts them. Throws only when a secret cannot be opened, which
 * is our fault and no failure of the receiver: the claim then runs out and the attempt is made again, up to twenty times.
 */
export async function performAttempt(
  ctx: Ctx,
  sender: Sender,
  claimed: Claimed,
  signers: Signers = new Signers(),
): Promise<Outcome> {
  const startedAtMs = ctx.clock.nowMs();
  const { eventId, body } = claimed;
  const headers = signers.of(claimed)({ eventId, body, attemptedAtMs: startedAtMs });
  const exchange = await sender.post(claimed.url, headers, claimed.body);
  return {
    ...exchange,
    deliveryId: claimed.deliveryId,
    attempt: claimed.attempt,
    leasedUntil: claimed.leasedUntil,
    url: claimed.url,
    startedAtMs,
    durationMs: Math.max(0, Math.round(ctx.clock.nowMs() - startedAtMs)),
    // A test event is sent once (docs/webhooks.md#test-events).
    retryDelaySeconds: exchange.errorKind === null || claimed.isTest ? null : delaySecondsAfter(claimed.attempt),
  };
}
