import { and, eq, inArray } from 'drizzle-orm';
import { deliveries, events } from '#drizzle/schema/events.ts';
import type { Tx } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import type { Ctx } from '#lib/ctx.ts';
import { wakeDispatch } from '#lib/webhooks/delivery/wake.ts';
import { auditWebhook, lockActiveWebhook } from '#lib/webhooks/registry/acting-tenant.ts';
import { toDeliveryRecord } from '#lib/webhooks/rows.ts';
import type { DeliveryRecord } from '#lib/webhooks/schemas.ts';
import { findDelivery } from './read-deliveries.ts';

/**
 * Sends the event of a delivery that has ended once more: a new delivery of the same bytes, on the normal schedule, whatever
 * the webhook subscribes to now. A resend of a resend names the first delivery too. The webhook's lock makes it one at a
 * time. Gives the new record. Throws `webhook_not_found`, `not_found`, `gone` once the payload was pruned, and `conflict` while
 * the delivery or an earlier resend has not ended, for a test event and for an inactive webhook.
 */
export async function resendDelivery(ctx: Ctx, webhookId: string, id: string): Promise<DeliveryRecord> {
  const record = await ctx.db.transaction(async (tx) => {
    await lockActiveWebhook(tx, ctx, webhookId);
    await holdEvent(tx, id);
    const delivery = await findDelivery(ctx, tx, webhookId, id);
    const originalId = delivery.resendOf ?? delivery.id;
    const refusal = resendRefusal(delivery, await findUnfinishedResend(tx, delivery.eventId, originalId));
    if (refusal !== null) throw refusal;
    const resendId = newId('del', ctx.random);
    await tx.insert(deliveries).values({
      id: resendId,
      eventId: delivery.eventId,
      webhookId,
      resendOf: originalId,
      eventSequence: delivery.eventSequence,
    });
    await auditWebhook(tx, ctx, 'webhook.resend', { id: webhookId });
    return toDeliveryRecord(await findDelivery(ctx, tx, webhookId, resendId));
  });
  await wakeDispatch(ctx);
  return record;
}

/** Keeps the payload of a delivery's event until the transaction ends, if it is still there: pruning locks the event. */
const holdEvent = (tx: Tx, deliveryId: string) =>
  tx
    .select({ id: events.id })
    .from(events)
    .where(
      inArray(events.id, tx.select({ id: deliveries.eventId }).from(deliveries).where(eq(deliveries.id, deliveryId))),
    )
    .for('key share');

async function findUnfinishedResend(tx: Tx, eventId: string, originalId: string): Promise<string | null> {
  const [unfinished] = await tx
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(
      and(
        eq(deliveries.eventId, eventId),
        eq(deliveries.resendOf, originalId),
        inArray(deliveries.status, ['pending', 'retrying']),
      ),
    )
    .limit(1);
  return unfinished?.id ?? null;
}

type Delivery = Awaited<ReturnType<typeof findDelivery>>;

const conflict = (detail: string) => new PlatformError('conflict', detail);

/** Why a delivery is not sent once more, or null. `unfinishedId` is a delivery that repeats the same one and has not ended. */
function resendRefusal(delivery: Delivery, unfinishedId: string | null): PlatformError | null {
  if (delivery.isTest) return conflict('A test event is sent once: POST /webhooks/test sends another one.');
  if (delivery.status === 'pending' || delivery.status === 'retrying' || delivery.leasedUntil !== null) {
    return conflict('This delivery has not ended: its next attempt comes by itself. Send it again once it has ended.');
  }
  if (delivery.prunedAt !== null) {
    return new PlatformError('gone', 'The payload of this event was removed.');
  }
  if (unfinishedId === null) return null;
  return conflict(`A resend is already in progress: wait for the end of ${unfinishedId}.`);
}
