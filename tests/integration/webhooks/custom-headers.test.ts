import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { deliveryAttempts } from '#drizzle/schema/events.ts';
import { TEST_ADMIN_TOKEN } from '#tests/support/env.ts';
import { changeRows, rowsOf } from '#tests/support/rows.ts';
import * as deliveryRoute from '../../../app/api/webhooks/[id]/deliveries/[delivery_id]/route.ts';
import * as deliveriesRoute from '../../../app/api/webhooks/[id]/deliveries/route.ts';
import * as webhookRoute from '../../../app/api/webhooks/[id]/route.ts';
import * as webhooksRoute from '../../../app/api/webhooks/route.ts';
import * as testRoute from '../../../app/api/webhooks/test/route.ts';
import { call } from './call.ts';
import { dispatching } from './dispatching.ts';
import { status } from './receiver.ts';
import { asDeveloper, reportInvestments } from './stage.ts';

const desk = dispatching({ RATE_LIMIT_SCALE: '1000' });
const VALUE = 'Bearer value-of-a-gateway';
let apiKey: string;

beforeEach(async () => {
  apiKey = (await asDeveloper(desk.stage.ctx)).apiKey;
});

const register = (body: object, key = apiKey) =>
  call(webhooksRoute, 'POST', { apiKey: key, body: { url: desk.receiver.url, ...body } });
const change = (id: unknown, body: object) => call(webhookRoute, 'PATCH', { apiKey, params: { id: String(id) }, body });
const lastHeaders = () => desk.receiver.received.at(-1)?.headers ?? {};

test('the headers of a webhook go with first attempts, retries and test events, and what changes holds from the next on', async () => {
  const { body } = await register({ headers: { Authorization: VALUE, 'X-Route': 'eu-1' } });
  expect(body.header_names).toEqual(['authorization', 'x-route']);
  desk.receiver.answerWith(status(500));
  await reportInvestments(desk.stage.ctx.db);
  await desk.dispatch();
  expect(lastHeaders()).toMatchObject({ authorization: VALUE, 'x-route': 'eu-1', 'content-type': 'application/json' });
  await desk.stage.advance(5);
  expect(desk.receiver.received).toHaveLength(2);
  expect(lastHeaders()).toMatchObject({ authorization: VALUE, 'x-route': 'eu-1' });
  expect((await change(body.id, { description: 'x' })).body.header_names).toEqual(['authorization', 'x-route']);
  expect((await change(body.id, { headers: { 'x-route': 'us-1' } })).body.header_names).toEqual(['x-route']);
  await desk.stage.advance(25);
  expect(lastHeaders()).toMatchObject({ 'x-route': 'us-1' });
  expect(lastHeaders()).not.toHaveProperty('authorization');
  await call(testRoute, 'POST', { apiKey, body: { webhook_id: body.id, event_type: 'investment.created' } });
  expect(lastHeaders()).toMatchObject({ 'x-route': 'us-1' });
  expect((await change(body.id, { headers: {} })).body.header_names).toEqual([]);
  await desk.stage.advance(120);
  expect(lastHeaders()).not.toHaveProperty('x-route');
});

test('no value of a header is ever shown, kept in the log or readable in the database', async () => {
  const { body, status: code } = await register({ headers: { authorization: VALUE } });
  expect(code).toBe(201);
  await reportInvestments(desk.stage.ctx.db);
  await desk.dispatch();
  const id = String(body.id);
  const log = await call(deliveriesRoute, 'GET', { apiKey, params: { id } });
  const [delivery] = log.body.deliveries as { id: string }[];
  const detail = await call(deliveryRoute, 'GET', { apiKey, params: { id, delivery_id: delivery?.id ?? '' } });
  expect(JSON.stringify(detail.body)).toContain('"authorization":"(not kept)"');
  const administrators = await register({ headers: { authorization: VALUE } }, TEST_ADMIN_TOKEN);
  const shown = [
    body,
    log.body,
    detail.body,
    administrators.body,
    (await call(webhooksRoute, 'GET', { apiKey })).body,
    (await call(webhookRoute, 'GET', { apiKey, params: { id } })).body,
    await rowsOf(desk.stage.ctx.db, 'webhooks'),
    (await desk.stage.ctx.db.execute(sql`select * from audit_entries`)).rows,
    await desk.stage.ctx.db.select().from(deliveryAttempts),
  ];
  expect(JSON.stringify(shown)).not.toContain('value-of-a-gateway');
  expect(lastHeaders()).toMatchObject({ authorization: VALUE });
});

test('headers that were altered, or taken from another webhook, are not sent, nor is anything without them', async () => {
  const { body } = await register({ headers: { authorization: VALUE } });
  const other = await register({ headers: { authorization: 'other' } });
  const { sealedHeaders } = (await rowsOf(desk.stage.ctx.db, 'webhooks', { id: String(other.body.id) }))[0] ?? {};
  await changeRows(desk.stage.ctx.db, 'webhooks', { id: String(body.id) }, { sealedHeaders });
  await reportInvestments(desk.stage.ctx.db);
  await desk.dispatch();
  expect(desk.receiver.received.map(({ headers }) => headers.authorization)).toEqual(['other']);
});

describe('a header', () => {
  test.each([
    ...['X-Platform-Signature', 'webhook-id', 'Webhook-Signature', 'content-type', 'User-Agent', 'Host', 'Connection'],
    ...['transfer-encoding', 'Content-Length', 'Proxy-Authorization', 'TE', 'Upgrade', 'x-forwarded-for', 'Forwarded'],
    ...['', 'a b', 'a:b', 'näme', 'a\r\nb', 'x'.repeat(65), ':path'],
  ])('named %j is refused by name, at registration and at a change', async (name) => {
    const { id } = (await register({})).body;
    for (const answer of [
      await register({ headers: { [name]: 'x' } }),
      await change(id, { headers: { [name]: 'x' } }),
    ]) {
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
      expect(JSON.stringify(answer.body.errors)).toContain('headers');
    }
    expect(await rowsOf(desk.stage.ctx.db, 'webhooks')).toMatchObject([{ headerNames: [], sealedHeaders: null }]);
  });

  test.each(['', ' a', 'a ', 'a\r\nx-evil: 1', 'a\nb', 'a\0b', 'ä', 'x'.repeat(1025), 7, null])(
    'of the value %j is refused',
    async (value) => {
      expect(await register({ headers: { 'x-a': value } })).toMatchObject({
        status: 400,
        body: { errors: [{ field: expect.stringContaining('headers') }] },
      });
    },
  );

  test('is one of sixteen at most, and there once', async () => {
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`x-${i}`, 'v']));
    expect((await register({ headers: many(16) })).status).toBe(201);
    expect((await register({ headers: many(17) })).status).toBe(400);
    expect((await register({ headers: { 'x-a': '1', 'X-A': '2' } })).status).toBe(400);
  });

  test('that looks like a seed is refused with a warning, and not repeated', async () => {
    const seed = 'sEdTM1uX8pu2do5XvTnutH6HsouMaM2';
    const answer = await register({ headers: { 'x-key': seed } });
    expect(answer).toMatchObject({ status: 400, body: { detail: expect.stringMatching(/never paste a seed/i) } });
    expect(JSON.stringify(answer.body)).not.toContain(seed);
  });
});
