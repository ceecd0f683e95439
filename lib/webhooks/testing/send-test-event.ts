import { eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { deliveries, events } from '#drizzle/schema/events.ts';
import { type FieldError, fieldPath, PlatformError, shownName } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import type { Ctx } from '#lib/ctx.ts';
import { appendTestEvent } from '#lib/events/append.ts';
import { EVENT_CATALOGUE, type EventData, type EventType } from '#lib/events/catalogue.ts';
import { serialiseEvent } from '#lib/events/envelope.ts';
import type { sendTestEventBody } from '#lib/webhooks/contracts.ts';
import { type Claimed, leaseEnd, leaseSeconds } from '#lib/webhooks/delivery/claim.ts';
import { openSender, performAttempt } from '#lib/webhooks/delivery/send.ts';
import { storeOutcome } from '#lib/webhooks/delivery/store-outcomes.ts';
import { auditWebhook, requireOwnWebhook } from '#lib/webhooks/registry/acting-tenant.ts';
import { requirePermittedEvents } from '#lib/webhooks/registry/check-webhook.ts';
import { deliveryColumns, toDeliveryRecord } from '#lib/webhooks/rows.ts';
import type { DeliveryRecord } from '#lib/webhooks/schemas.ts';
import { parseAccountAddress } from '#lib/xrpl/address.ts';
import { SAMPLE_ACCOUNT, SAMPLE_AMOUNT_DROPS, sampleData } from './samples.ts';

/**
 * Sends a full sample event with `test_data` laid over it and `"test": true` in the envelope, once and now, whatever
 * the webhook subscribes to and also while it is inactive. Gives the delivery record; a receiver that fails is a
 * `failed` record, not an error. Throws `webhook_not_found`, and `invalid_request` for data that is not the event's or an
 * event type of administrators.
 */
export async function sendTestEvent(ctx: Ctx, body: z.output<typeof sendTestEventBody>): Promise<DeliveryRecord> {
  requirePermittedEvents(ctx, [body.event_type], 'event_type');
  const webhook = await requireOwnWebhook(ctx, body.webhook_id);
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
    sealedHeaders: webhook.sealedHeaders,
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
        leasedUntil: leaseEnd(leaseSeconds()),
      })
      .returning({ leasedUntil: sql<string>`leased_until::text` });
    if (delivery === undefined) throw new Error('The insert of a test delivery returned no row');
    await auditWebhook(tx, ctx, 'webhook.test', { id: unclaimed.webhookId });
    return { ...unclaimed, ...delivery };
  });
}

/** Faults of one answer; a body of 64 KiB can hold thousands. */
const MAX_FAULTS = 50;

const fault = (errors: FieldError[]) => {
  const [first] = errors;
  return new PlatformError('invalid_request', `${first?.field}: ${first?.message}`, {
    errors: errors.slice(0, MAX_FAULTS),
  });
};

/**
 * The data of a test event: the sample of an `investment.*` event around the amount and account given, or the sample of
 * any other, with any further field laid over it. Throws `invalid_request` when the result is not what such an event may
 * carry: nothing that was given is left out in silence.
 */
export function testData(
  type: EventType,
  given: z.output<typeof sendTestEventBody>['test_data'],
  now: Date,
): EventData[EventType] {
  const { amount_xrp: amountDrops, investor_account: investorAccount, ...overlay } = given;
  if (!type.startsWith('investment.')) {
    const strange = (['amount_xrp', 'investor_account'] as const).filter((name) => given[name] !== undefined);
    const message = `is for investment.* events: leave it out of a ${type}, or give a field that its data has`;
    if (strange.length > 0) throw fault(strange.map((name) => ({ field: `test_data.${name}`, message })));
  }
  const sample = sampleData({
    amountDrops: amountDrops ?? SAMPLE_AMOUNT_DROPS,
    investorAccount: investorAccount ?? SAMPLE_ACCOUNT,
    now,
  })[type];
  const unknown = Object.keys(overlay).filter((name) => !Object.hasOwn(sample, name));
  if (unknown.length > 0) {
    throw fault(
      unknown.map((name) => ({ field: `test_data.${shownName(name)}`, message: `is not a field of ${type}` })),
    );
  }
  const merged = EVENT_CATALOGUE[type].safeParse({ ...sample, ...overlay });
  if (!merged.success) {
    throw fault(
      merged.error.issues.map(({ path, message }) => ({ field: fieldPath('body', ['test_data', ...path]), message })),
    );
  }
  const accounts = accountsIn(merged.data, 'test_data');
  const bad = accounts.flatMap(({ field, text }): FieldError[] => {
    const parsed = parseAccountAddress(text);
    return 'fault' in parsed ? [{ field, message: parsed.fault }] : [];
  });
  if (bad.length > 0) throw fault(bad);
  return merged.data;
}

/** Fields of event data that hold an account, as the catalogue names them. */
const ACCOUNT_FIELDS = ['investor_account', 'deposit_address', 'account'];

/** The accounts of an event's data. The catalogue says no more of them than that they are texts. */
const accountsIn = (data: object, path: string): { field: string; text: string }[] =>
  Object.entries(data).flatMap(([name, value]) => {
    const field = `${path}.${name}`;
    if (typeof value === 'string') return ACCOUNT_FIELDS.includes(name) ? [{ field, text: value }] : [];
    return typeof value === 'object' && value !== null ? accountsIn(value, field) : [];
  });
