import type { Ctx } from '#lib/ctx.ts';
import { openSecret } from '#lib/webhooks/secret.ts';
import type { Claimed } from './claim.ts';
import type { Outcome } from './record.ts';
import { delaySecondsAfter } from './schedule.ts';
import type { Sender } from './send.ts';
import { signatureHeaders } from './signature.ts';

/**
 * Makes a claimed attempt: signs the stored bytes and posts them. Throws only when a secret cannot be opened, which
 * is our fault and no failure of the receiver: the claim then runs out and the attempt is made again, up to twenty times.
 */
export async function performAttempt(ctx: Ctx, sender: Sender, claimed: Claimed): Promise<Outcome> {
  const startedAtMs = ctx.clock.nowMs();
  const headers = signatureHeaders({
    eventId: claimed.eventId,
    body: claimed.body,
    secret: openSecret(claimed.sealedSecret, claimed.webhookId),
    nextSecret: claimed.nextSealedSecret === null ? null : openSecret(claimed.nextSealedSecret, claimed.webhookId),
    attemptedAtMs: startedAtMs,
  });
  const exchange = await sender.post(claimed.url, headers, claimed.body);
  return {
    ...exchange,
    attemptId: claimed.attemptId,
    deliveryId: claimed.deliveryId,
    attempt: claimed.attempt,
    url: claimed.url,
    durationMs: Math.max(0, Math.round(ctx.clock.nowMs() - startedAtMs)),
    // A test event is sent once (design section 6).
    retryDelaySeconds: exchange.errorKind === null || claimed.isTest ? null : delaySecondsAfter(claimed.attempt),
  };
}
