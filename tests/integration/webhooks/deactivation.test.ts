import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { deliveries, events, webhooks } from '#drizzle/schema/events.ts';
import type { Actor } from '#lib/ctx.ts';
import { dispatchDeliveries } from '#lib/jobs/dispatch-deliveries.ts';
import { attemptDelivery } from '#lib/webhooks/delivery/attempt-delivery.ts';
import { noteEndpointHealth } from '#lib/webhooks/delivery/endpoint-health.ts';
import { sweepDeliveries } from '#lib/webhooks/delivery/sweep.ts';
import { updateWebhook } from '#lib/webhooks/registry/change-webhook.ts';
import { getWebhook } from '#lib/webhooks/registry/read-webhooks.ts';
import { registerWebhook } from '#lib/webhooks/registry/register-webhook.ts';
import { sendTestEvent } from '#lib/webhooks/testing/send-test-event.ts';
import type { TestCtx } from '#tests/support/ctx.ts';
import { dispatching } from './dispatching.ts';
import { type Receiver, startReceiver, status } from './receiver.ts';
import { appendInvestments, asDeveloper } from './stage.ts';

const desk = dispatching();
let other: Receiver;
let developer: TestCtx & { actor: Actor };
let webhookId: string;

beforeEach(async () => {
  desk.receiver.answerWith(status(500));
  other = await startReceiver();
  developer = await asDeveloper(desk.stage.ctx);
  webhookId = (await register(desk.receiver.url, ['investment.created'])).id;
});
afterEach(() => other.close());

const register = (url: string, events: Parameters<typeof registerWebhook>[1]['events']) =>
  registerWebhook(developer, { url, events, active: true, description: '' });
const read = () => getWebhook(developer, webhookId);
const failingSince = async () =>
  (await desk.stage.ctx.db.select({ since: webhooks.failingSince }).from(webhooks).where(sql`id = ${webhookId}`))[0]
    ?.since;
/** As though everything had happened that much earlier. */
const failSince = (interval: string) =>
  desk.stage.ctx.db.execute(
    sql`update webhooks set failing_since = now() - ${interval}::interval where id = ${webhookId}`,
  );
const disabledEvents = () => desk.stage.ctx.db.select().from(events).where(sql`type = 'system.webhook_disabled'`);

async function report(count = 1) {
  await appendInvestments(desk.stage.ctx.db, count);
  await dispatchDeliveries(desk.stage.ctx);
}
/** Makes the next attempt of every delivery that waits for one, as its callback would. */
async function retry() {
  const waiting = await desk.stage.ctx.db.select().from(deliveries).where(sql`status = 'retrying'`);
  for (const { id, nextAttempt } of waiting)
    await attemptDelivery(desk.stage.ctx, { delivery_id: id, attempt: nextAttempt });
}

describe('a webhook is deactivated', () => {
  test('once the seventh attempt of a delivery is answered 410, and no attempt before it', async () => {
    desk.receiver.answerWith(status(410));
    await report();
    for (let attempt = 2; attempt <= 7; attempt += 1) {
      expect(await read()).toMatchObject({ active: true, disabled_at: null, disabled_reason: null });
      await retry();
    }
    expect(await read()).toMatchObject({ active: false, disabled_at: expect.any(String), disabled_reason: 'gone' });
    expect(desk.receiver.received).toHaveLength(7);
  });

  test('at the first failure after five days of nothing else, not before', async () => {
    await report();
    expect(await failingSince()).toBeInstanceOf(Date);
    await failSince('4 days 23 hours 59 minutes');
    await retry();
    expect(await read()).toMatchObject({ active: true, disabled_at: null });
    await failSince('5 days');
    await retry();
    expect(await read()).toMatchObject({ active: false, disabled_reason: 'failing' });
    // What waits for it is cancelled when its time has come.
    await retry();
    expect(await desk.stage.ctx.db.select().from(deliveries).where(sql`webhook_id = ${webhookId}`)).toMatchObject([
      { status: 'cancelled' },
    ]);
    expect(desk.receiver.received).toHaveLength(3);
  });

  test('not while any attempt succeeds in between', async () => {
    await report();
    await failSince('10 days');
    desk.receiver.answerWith(status(200));
    await report();
    expect(await failingSince()).toBeNull();
    desk.receiver.answerWith(status(500));
    await report();
    expect(await read()).toMatchObject({ active: true, disabled_at: null });
    expect(await failingSince()).toBeInstanceOf(Date);
  });

  test('not for what an attempt at its earlier URL came to', async () => {
    await report();
    await failSince('10 days');
    const answering = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    desk.receiver.answerWith((_n, response) => {
      asked.resolve();
      void answering.promise.then(() => response.writeHead(500).end());
    });
    const retrying = retry();
    await asked.promise;
    await updateWebhook(developer, webhookId, { url: other.url });
    answering.resolve();
    await retrying;
    expect(await read()).toMatchObject({ active: true, disabled_at: null });
    expect(await failingSince()).toBeNull();
  });

  test('not for an earlier URL’s last 410, however late it is judged', async () => {
    desk.receiver.answerWith(status(410));
    await report();
    const { url } = desk.receiver;
    await updateWebhook(developer, webhookId, { url: other.url });
    await noteEndpointHealth(desk.stage.ctx, [{ webhookId, url, healthChange: 'gone' }]);
    expect(await read()).toMatchObject({ active: true, disabled_at: null });
  });

  test('not when a success since then was stored but never noted on it', async () => {
    await report();
    await failSince('6 days');
    desk.receiver.answerWith(status(200));
    const holding = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    // Somebody has its row in hand while the success is to be noted.
    const holder = desk.stage.ctx.db.transaction(async (tx) => {
      await tx.execute(sql`select from webhooks where id = ${webhookId} for no key update`);
      held.resolve();
      await holding.promise;
    });
    await held.promise;
    await report();
    holding.resolve();
    await holder;
    expect(await failingSince()).toBeInstanceOf(Date);
    desk.receiver.answerWith(status(500));
    await report();
    expect(await read()).toMatchObject({ active: true, disabled_at: null });
    expect(await failingSince()).toBeNull();
  });

  test('also when it is told again and again that it is active', async () => {
    await report();
    await failSince('4 days');
    const before = await failingSince();
    await updateWebhook(developer, webhookId, { active: true, url: desk.receiver.url });
    expect(await failingSince()).toEqual(before);
    await updateWebhook(developer, webhookId, { url: other.url });
    expect(await failingSince()).toBeNull();
  });

  test('not for a test event, whatever its answer', async () => {
    await failSince('10 days');
    for (const code of [410, 500]) {
      desk.receiver.answerWith(status(code));
      await sendTestEvent(developer, { webhook_id: webhookId, event_type: 'investment.created', test_data: {} });
    }
    expect(await read()).toMatchObject({ active: true, disabled_at: null });
  });

  test('also when its receiver took a test event meanwhile, which says nothing of the others', async () => {
    await report();
    await failSince('6 days');
    desk.receiver.answerWith(status(200));
    await sendTestEvent(developer, { webhook_id: webhookId, event_type: 'investment.created', test_data: {} });
    await dispatchDeliveries(desk.stage.ctx);
    expect(await desk.stage.ctx.db.$count(deliveries, sql`status = 'success'`)).toBe(1);
    desk.receiver.answerWith(status(500));
    await retry();
    expect(await read()).toMatchObject({ active: false, disabled_reason: 'failing' });
  });

  test('once only, however many outcomes say so at the same time', async () => {
    await report(20);
    await failSince('6 days');
    const waiting = await desk.stage.ctx.db.select().from(deliveries).where(sql`status = 'retrying'`);
    await Promise.all(
      waiting.map(({ id, nextAttempt }) => attemptDelivery(desk.stage.ctx, { delivery_id: id, attempt: nextAttempt })),
    );
    const reports = waiting.map(() => ({
      webhookId,
      url: desk.receiver.url,
      healthChange: 'failed_too_long' as const,
    }));
    await Promise.all([noteEndpointHealth(desk.stage.ctx, reports), noteEndpointHealth(desk.stage.ctx, reports)]);
    expect(await disabledEvents()).toHaveLength(1);
  });

  test('and its row is not written for outcomes that change nothing', async () => {
    const version = async () =>
      (await desk.stage.ctx.db.execute<{ xmin: string }>(sql`select xmin from webhooks where id = ${webhookId}`))
        .rows[0];
    await report();
    const before = await version();
    await report(10);
    await retry();
    expect(await version()).toEqual(before);
  });
});

describe('that a webhook was deactivated', () => {
  const told = () => other.received.map(({ body }) => JSON.parse(body));

  test('is told to its tenant’s other webhooks, and to nobody else', async () => {
    const stranger = await startReceiver();
    const administrators = await startReceiver();
    await register(other.url, ['system.webhook_disabled']);
    await registerWebhook(await asDeveloper(desk.stage.ctx), { url: stranger.url, active: true, description: '' });
    await registerWebhook(
      { ...desk.stage.ctx, actor: { kind: 'administrator', name: 'operator', role: 'operator' } },
      { url: administrators.url, events: ['system.webhook_disabled', 'system.alert'], active: true, description: '' },
    );
    await failSince('6 days');
    await report();
    await dispatchDeliveries(desk.stage.ctx);
    expect(told()).toMatchObject([
      {
        event_type: 'system.webhook_disabled',
        data: { webhook_id: webhookId, reason: 'failing', disabled_at: (await read()).disabled_at },
      },
    ]);
    expect(other.received[0]?.body).not.toContain(desk.receiver.url);
    // The stranger subscribes to everything, and got the investment only.
    expect(stranger.received.map(({ body }) => JSON.parse(body).event_type)).toEqual(['investment.created']);
    expect(administrators.received).toEqual([]);
    await stranger.close();
    await administrators.close();
  });

  test('is forgotten when it is switched on again, and begins anew', async () => {
    await failSince('6 days');
    await report();
    expect(await read()).toMatchObject({ active: false });
    await updateWebhook(developer, webhookId, { description: 'still off' });
    expect(await read()).toMatchObject({ active: false, disabled_reason: 'failing' });
    const again = await updateWebhook(developer, webhookId, { active: true });
    expect(again).toMatchObject({ active: true, disabled_at: null, disabled_reason: null });
    expect(await failingSince()).toBeNull();
    await report();
    expect(await read()).toMatchObject({ active: true });
    await failSince('6 days');
    await retry();
    expect(await read()).toMatchObject({ active: false });
    expect(await disabledEvents()).toHaveLength(2);
  });

  test('leaves what still waits to be cancelled as it comes due', async () => {
    await report(3);
    await failSince('6 days');
    await report(2);
    expect(await read()).toMatchObject({ active: false });
    await desk.stage.ctx.db.execute(sql`update deliveries set due_at = now() where status in ('pending', 'retrying')`);
    await sweepDeliveries(desk.stage.ctx);
    const left = await desk.stage.ctx.db.select().from(deliveries).where(sql`webhook_id = ${webhookId}`);
    expect(left.map((row) => row.status)).toEqual(Array(5).fill('cancelled'));
  });
});
