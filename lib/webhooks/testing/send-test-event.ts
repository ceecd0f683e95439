import { eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { deliveries, events } from '#drizzle/schema/events.ts';
import { newId } from '#lib/base/ids.ts';
import type { Ctx } from '#lib/ctx.ts';
import { appendTestEvent } from '#lib/events/append.ts';
import { serialiseEvent } from '#lib/events/envelope.ts';
import type { sendTestEventBody } from '#lib/webhooks/contracts.ts';
import { type Claimed, leaseEnd } from '#lib/webhooks/delivery/claim.ts';
import { openSender, performAttempt } from '#lib/webhooks/delivery/send.ts';
import { storeOutcome } from '#lib/webhooks/delivery/store-outcomes.ts';
import { actingTenant } from '#lib/webhooks/registry/acting-tenant.ts';
import { auditWebhook } from '#lib/webhooks/registry/audit.ts';
import { requirePermittedEvents } from '#lib/webhooks/registry/permitted-events.ts';
import { deliveryColumns, requireOwnWebhook, toDeliveryRecord } from '#lib/webhooks/rows.ts';
import type { DeliveryRecord } from '#lib/webhooks/schemas.ts';
import { testData } from './test-data.ts';

/** Writes the event and its delivery as claimed by us, in one transaction: no dispatcher takes it too. */
async function claimNew(ctx: Ctx, unclaimed: Omit<Claimed, 'leasedUntil'>, eventType: string): Promise<Claimed> {
  return ctx.db.transaction(async (tx) => {
    const eventSequence = await appendTestEvent(tx, {
      id: unclaimed.eventId,
      type: eventType,
      body: unclaimed.body,
    });
    const [delivery] = await tx
      .insert(deliveries)
      .values({
        id: unclaimed.deliveryId,
        eventId: unclaimed.eventId,
        webhookId: unclaimed.webhookId,
        eventSequence,
        leasedUntil: leaseEnd(),
      })
      .returning({ leasedUntil: sql<string>`leased_until::text` });
    if (delivery === undefined) throw new Error('The insert of a test delivery returned no row');
    await auditWebhook(tx, ctx, 'webhook.test', { id: unclaimed.webhookId });
    return { ...unclaimed, ...delivery };
  });
}

/**
 * Sends a full sample event with `test_data` laid over it and `"test": true` in the envelope, once and now, whatever
 * the webhook subscribes to and also while it is inactive. Gives the delivery record; a receiver that fails is a
 * `failed` record, not an error. Throws `webhook_not_found`, and `invalid_request` for data that is not the event's or an
 * event type of administrators.
 */
export async function sendTestEvent(ctx: Ctx, body: z.output<typeof sendTestEventBody>): Promise<DeliveryRecord> {
  requirePermittedEvents(ctx, [body.event_type], 'event_type');
  const webhook = await requireOwnWebhook(ctx.db, actingTenant(ctx).tenantId, body.webhook_id);
  const occurredAt = new Date(ctx.clock.nowMs());
  const eventId = newId('evt', ctx.random);
  const event = {
    type: body.event_type,
    subject: eventId,
    projectId: null,
    occurredAt,
    data: testData(body.event_type, body.test_data, occurredAt),
  };
  const unclaimed = {
    deliveryId: newId('del', ctx.random),
    attempt: 1,
    webhookId: webhook.id,
    url: webhook.url,
    sealedSecret: webhook.sealedSecret,
    nextSealedSecret: webhook.nextSealedSecret,
    eventId,
    body: serialiseEvent(event, eventId, { test: true }),
    isTest: true,
  };
  const claimed = await claimNew(ctx, unclaimed, body.event_type);
  const sender = openSender();
  try {
    await storeOutcome(ctx, await performAttempt(ctx, sender, claimed));
  } finally {
    await sender.close();
  }
  const [row] = await ctx.db
    .select(deliveryColumns)
    .from(deliveries)
    .innerJoin(events, eq(events.id, deliveries.eventId))
    .where(eq(deliveries.id, claimed.deliveryId));
  if (row === undefined) throw new Error('A test delivery is gone');
  return toDeliveryRecord(row);
}
