import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { deliveries, events } from '#drizzle/schema/events.ts';
import type { Actor } from '#lib/ctx.ts';
import { EVENT_ENVELOPES } from '#lib/events/envelope-schemas.ts';
import { dispatchDeliveries } from '#lib/jobs/dispatch-deliveries.ts';
import { attemptDelivery } from '#lib/webhooks/delivery/attempt-delivery.ts';
import { sweepDeliveries } from '#lib/webhooks/delivery/sweep.ts';
import { listEvents } from '#lib/webhooks/events/read-events.ts';
import { registerWebhook } from '#lib/webhooks/registry/register-webhook.ts';
import { sendTestEvent } from '#lib/webhooks/testing/send-test-event.ts';
import type { TestCtx } from '#tests/support/ctx.ts';
import { dispatching } from './dispatching.ts';
import { type Receiver, startReceiver, status } from './receiver.ts';
import { appendInvestments, asDeveloper, newWebhook } from './stage.ts';

const desk = dispatching();
let other: Receiver;
let developer: TestCtx & { actor: Actor };
let webhookId: string;

beforeEach(async () => {
  desk.receiver.answerWith(status(503));
  other = await startReceiver();
  developer = await asDeveloper(desk.stage.ctx);
  webhookId = (await register(desk.receiver.url, ['investment.created', 'system.delivery_failed'])).id;
});
afterEach(() => other.close());

const register = (url: string, types: Parameters<typeof registerWebhook>[1]['events']) =>
  registerWebhook(developer, { url, events: types, active: true, description: '' });
const reports = () => desk.stage.ctx.db.select().from(events).where(eq(events.type, 'system.delivery_failed'));
const ofOther = () => other.received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);

async function report() {
  await appendInvestments(desk.stage.ctx.db, 1);
  await dispatchDeliveries(desk.stage.ctx);
}
/** Makes every attempt that is left, as the callbacks would. */
async function exhaust() {
  for (let attempt = 2; attempt <= 7; attempt += 1) {
    const waiting = await desk.stage.ctx.db.select().from(deliveries).where(eq(deliveries.status, 'retrying'));
    for (const { id, nextAttempt } of waiting)
      await attemptDelivery(desk.stage.ctx, { delivery_id: id, attempt: nextAttempt });
  }
}

test('the seventh failure of a delivery tells the other webhooks of its tenant, and the events API, once', async () => {
  await register(other.url, ['system.delivery_failed']);
  const stranger = await newWebhook(desk.stage.ctx, other.url);
  await report();
  await exhaust();
  const [failed] = await desk.stage.ctx.db.select().from(deliveries).where(eq(deliveries.webhookId, webhookId));
  expect(failed).toMatchObject({ status: 'failed' });
  // The stage serves no continue route: the dispatch that the failure woke is called here.
  expect((await desk.wakes()).length).toBeGreaterThan(0);
  await dispatchDeliveries(desk.stage.ctx);
  const told = ofOther().filter(({ event_type: type }) => type === 'system.delivery_failed');
  expect(told).toHaveLength(1);
  expect(EVENT_ENVELOPES['system.delivery_failed'].parse(told[0]).data).toMatchObject({
    webhook_id: webhookId,
    delivery_id: failed?.id,
    event_id: failed?.eventId,
    event_type: 'investment.created',
    attempts: 7,
    response_code: 503,
  });
  // The webhook that did not take it subscribes too, and is not told.
  expect(desk.receiver.received.some(({ body }) => body.includes('delivery_failed'))).toBe(false);
  const typesOf = async (ctx: TestCtx & { actor: Actor }) =>
    (await listEvents(ctx, { limit: 50 })).events.map(({ event_type: type }) => type);
  expect(await typesOf(developer)).toContain('system.delivery_failed');
  expect(await typesOf(stranger.developer)).not.toContain('system.delivery_failed');
});

test('a report of which no attempt is left either makes no other', async () => {
  other.answerWith(status(500));
  await register(other.url, ['system.delivery_failed']);
  await report();
  await exhaust();
  await dispatchDeliveries(desk.stage.ctx);
  await exhaust();
  const failed = await desk.stage.ctx.db.select().from(deliveries).where(eq(deliveries.status, 'failed'));
  expect(failed).toHaveLength(2);
  expect(other.received).toHaveLength(7);
  await dispatchDeliveries(desk.stage.ctx);
  expect(await reports()).toHaveLength(1);
});

test('a test event that fails is not reported', async () => {
  await sendTestEvent(developer, { webhook_id: webhookId, event_type: 'investment.created', test_data: {} });
  expect(await reports()).toEqual([]);
});

test('a delivery and its report are one: without the report the attempt is not recorded, and is made again', async () => {
  await report();
  await desk.stage.ctx.db.execute(
    sql`alter table events add constraint no_report check (type <> 'system.delivery_failed') not valid`,
  );
  await exhaust().catch(() => undefined);
  expect(await desk.allDeliveries()).toMatchObject([{ status: 'retrying', nextAttempt: 7 }]);
  await desk.stage.ctx.db.execute(sql`alter table events drop constraint no_report`);
  await desk.expireLeases();
  await sweepDeliveries(desk.stage.ctx);
  await exhaust();
  expect(await desk.allDeliveries()).toMatchObject([{ status: 'failed' }]);
  expect(await reports()).toHaveLength(1);
});

test('a delivery that ends because its attempts were interrupted is reported too', async () => {
  await desk.stage.ctx.db.execute(sql`update webhooks set sealed_secret = 'gone.AAAA.AAAA'`);
  await report();
  for (let tries = 0; tries < 20; tries += 1) {
    await desk.expireLeases();
    await sweepDeliveries(desk.stage.ctx);
    await desk.dispatch();
  }
  const [one] = await reports();
  expect(JSON.parse(one?.body ?? '{}').data).toMatchObject({ attempts: 1, response_code: null, webhook_id: webhookId });
});
