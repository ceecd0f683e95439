import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { events } from '#drizzle/schema/events.ts';
import { attemptDelivery } from '#lib/webhooks/delivery/attempt-delivery.ts';
import { fanOutEvents } from '#lib/webhooks/delivery/fan-out.ts';
import { TEST_ADMIN_TOKEN, TEST_READ_ONLY_TOKEN } from '#tests/support/env.ts';
import * as eraseRoute from '../../../app/api/admin/events/[id]/payload/route.ts';
import * as eventRoute from '../../../app/api/events/[id]/route.ts';
import * as eventsRoute from '../../../app/api/events/route.ts';
import * as resendRoute from '../../../app/api/webhooks/[id]/deliveries/[delivery_id]/resend/route.ts';
import * as deliveryRoute from '../../../app/api/webhooks/[id]/deliveries/[delivery_id]/route.ts';
import { call } from './call.ts';
import { dispatching } from './dispatching.ts';
import { status } from './receiver.ts';
import { appendInvestments, newWebhook, reportInvestments, WALLET } from './stage.ts';

const desk = dispatching({ RATE_LIMIT_SCALE: '1000' });
const erase = (id: string, { token = TEST_ADMIN_TOKEN, reason = 'request 4711' } = {}) =>
  call(eraseRoute, 'DELETE', { apiKey: token, params: { id }, query: `?reason=${encodeURIComponent(reason)}` });
const allEvents = () => desk.stage.ctx.db.select().from(events).orderBy(events.sequence);

/** Everything that the database holds of webhooks, and the queue, as text. */
async function allStored(): Promise<string> {
  const { db } = desk.stage.ctx;
  const tables = ['events', 'deliveries', 'delivery_attempts', 'replays', 'audit_entries', 'idempotency_keys'];
  const stored = await Promise.all(tables.map((name) => db.execute(sql.raw(`select * from ${name}`))));
  return JSON.stringify([stored.map(({ rows }) => rows), await desk.stage.waiting()]);
}

/** The receiver repeats what it was sent, as some do. */
const echo = (code: number) =>
  desk.receiver.answerWith((_n, response, { body }) => {
    response.writeHead(code, { 'x-echo': body.slice(0, 200) }).end(body);
  });

test('an erased payload is nowhere any more: not in the outbox, attempts, log, list or queue; that it was erased is', async () => {
  const { developer, webhook } = await newWebhook(desk.stage.ctx, desk.receiver.url);
  const { apiKey } = developer;
  echo(500);
  await reportInvestments(desk.stage.ctx.db);
  await desk.dispatch();
  const [event] = await allEvents();
  const id = event?.id ?? '';
  expect(await allStored()).toContain(WALLET);
  expect(await erase(id)).toMatchObject({
    status: 200,
    body: { event_id: id, deliveries_cancelled: 1, attempts_removed: 1 },
  });
  expect(await allStored()).not.toContain(WALLET);
  const [delivery] = await desk.allDeliveries();
  expect(delivery).toMatchObject({ status: 'cancelled', cancelReason: 'event_erased', dueAt: null });
  expect((await call(eventRoute, 'GET', { apiKey, params: { id } })).status).toBe(410);
  const params = { id: webhook.id, delivery_id: delivery?.id ?? '' };
  expect((await call(deliveryRoute, 'GET', { apiKey, params })).body).toMatchObject({
    pruned: true,
    cancelled_reason: 'event_erased',
    request: { body: null },
    attempt_log: [],
  });
  expect((await call(resendRoute, 'POST', { apiKey, params })).status).toBe(410);
  await desk.stage.advance(7 * 86_400);
  expect(desk.receiver.received).toHaveLength(1);
  const { rows } = await desk.stage.ctx.db.execute(sql`select * from audit_entries where subject = ${id}`);
  expect(rows).toMatchObject([{ action: 'event.erase', reason: 'request 4711', after: { event_type: event?.type } }]);
  expect((await erase(id)).status).toBe(410);
});

test('cursors of the list stay good, and the events around it come as before', async () => {
  const { developer } = await newWebhook(desk.stage.ctx, desk.receiver.url);
  const { apiKey } = developer;
  await appendInvestments(desk.stage.ctx.db, 3);
  await fanOutEvents(desk.stage.ctx, Number.POSITIVE_INFINITY);
  const first = await call(eventsRoute, 'GET', { apiKey, query: '?limit=1' });
  const [, second, third] = await allEvents();
  expect((await erase(second?.id ?? '')).status).toBe(200);
  const rest = await call(eventsRoute, 'GET', { apiKey, query: `?cursor=${first.body.next_cursor}` });
  expect(rest).toMatchObject({ status: 200, body: { events: [{ event_id: third?.id }] } });
});

test('an event that waits for its deliveries gets none', async () => {
  await newWebhook(desk.stage.ctx, desk.receiver.url);
  await appendInvestments(desk.stage.ctx.db, 1);
  const [event] = await allEvents();
  expect((await erase(event?.id ?? '')).body).toMatchObject({ deliveries_cancelled: 0, attempts_removed: 0 });
  await fanOutEvents(desk.stage.ctx, Number.POSITIVE_INFINITY);
  expect(await desk.allDeliveries()).toEqual([]);
  expect(await desk.dispatch()).toMatchObject({ attempted: 0, more: false });
});

test.each([200, 500])('an attempt under way ends, and nothing of its answer (%i) is kept', async (code) => {
  desk.endByWord();
  await newWebhook(desk.stage.ctx, desk.receiver.url);
  await reportInvestments(desk.stage.ctx.db);
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  desk.receiver.answerWith((_n, response, { body }) => {
    asked.resolve();
    void released.promise.then(() => response.writeHead(code, { 'x-echo': body }).end(body));
  });
  const dispatched = desk.dispatch();
  await asked.promise;
  const [event] = await allEvents();
  expect((await erase(event?.id ?? '')).body).toMatchObject({ deliveries_cancelled: 1 });
  released.resolve();
  await dispatched;
  expect(await allStored()).not.toContain(WALLET);
  expect(await desk.allDeliveries()).toMatchObject([{ status: code === 200 ? 'success' : 'cancelled', dueAt: null }]);
  expect(await desk.allAttempts()).toMatchObject([{ responseCode: code, responseBody: null, responseHeaders: null }]);
});

test('a callback that comes afterwards sends nothing', async () => {
  await newWebhook(desk.stage.ctx, desk.receiver.url);
  desk.receiver.answerWith(status(500));
  await reportInvestments(desk.stage.ctx.db);
  await desk.dispatch();
  const [delivery] = await desk.allDeliveries();
  await erase(delivery?.eventId ?? '');
  expect(await attemptDelivery(desk.stage.ctx, { delivery_id: delivery?.id ?? '', attempt: 2 })).toEqual({
    outcome: 'not_claimed',
  });
  expect(desk.receiver.received).toHaveLength(1);
});

test('only an operator erases, and says why', async () => {
  const { developer } = await newWebhook(desk.stage.ctx, desk.receiver.url);
  await appendInvestments(desk.stage.ctx.db, 1);
  const [event] = await allEvents();
  const id = event?.id ?? '';
  expect((await erase(id, { token: developer.apiKey })).status).toBe(403);
  expect((await erase(id, { token: TEST_READ_ONLY_TOKEN })).status).toBe(403);
  expect((await erase(id, { reason: '' })).status).toBe(400);
  expect((await erase('evt_0000000000000000000000')).status).toBe(404);
  expect(await desk.stage.ctx.db.select().from(events).where(eq(events.id, id))).toMatchObject([{ erasedAt: null }]);
});
