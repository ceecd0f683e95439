import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { createApiKey } from '#lib/accounts/api-keys/create-api-key.ts';
import { appendEvents } from '#lib/events/append.ts';
import { EVENT_TYPES, PUBLIC_EVENT_TYPES } from '#lib/events/catalogue.ts';
import { dispatchFirstAttempts } from '#lib/webhooks/delivery/dispatch.ts';
import { fanOutEvents } from '#lib/webhooks/delivery/fan-out.ts';
import { sampleData } from '#lib/webhooks/testing/samples.ts';
import { START_MS } from '#tests/support/ctx.ts';
import { TEST_ADMIN_TOKEN, TEST_CRON_SECRET, TEST_READ_ONLY_TOKEN } from '#tests/support/env.ts';
import { rowsOf } from '#tests/support/rows.ts';
import * as deliveryRoute from '../../../app/api/webhooks/[id]/deliveries/route.ts';
import * as webhookRoute from '../../../app/api/webhooks/[id]/route.ts';
import * as webhooksRoute from '../../../app/api/webhooks/route.ts';
import * as testRoute from '../../../app/api/webhooks/test/route.ts';
import { call } from './call.ts';
import { dispatching } from './dispatching.ts';
import { asDeveloper, WALLET } from './stage.ts';

const desk = dispatching({ RATE_LIMIT_SCALE: '1000' });
let apiKey: string;

beforeEach(async () => {
  apiKey = (await asDeveloper(desk.stage.ctx)).apiKey;
});

const register = (token: string, body: object = {}) =>
  call(webhooksRoute, 'POST', { apiKey: token, body: { url: desk.receiver.url, ...body } });

test('a credential that may not is told what it lacks: scope, role or kind', async () => {
  const key = await createApiKey(desk.stage.ctx, { wallet_address: WALLET, scopes: ['webhooks:read'] });
  expect(await register(key.api_key)).toMatchObject({
    status: 403,
    body: { code: 'forbidden', detail: expect.stringContaining('lacks the scope webhooks:write') },
  });
  expect(await register(TEST_READ_ONLY_TOKEN)).toMatchObject({
    status: 403,
    body: { detail: expect.stringMatching(/needs the role operator; the role of this token is read_only/) },
  });
  expect(await register(TEST_CRON_SECRET)).toMatchObject({
    status: 403,
    body: { detail: expect.stringMatching(/send an API key or an administrator’s token/) },
  });
});

describe('system.alert', () => {
  test('is for administrators only: an API key that asks for it is told so by field, everywhere', async () => {
    const message = expect.stringContaining('is for administrators');
    const events = ['investment.created', 'system.alert'];
    const params = { id: String((await register(apiKey)).body.id) };
    const answers = [
      [await register(apiKey, { events }), 'events'],
      [await call(webhookRoute, 'PATCH', { apiKey, params, body: { events } }), 'events'],
      [
        await call(testRoute, 'POST', { apiKey, body: { webhook_id: params.id, event_type: 'system.alert' } }),
        'event_type',
      ],
    ] as const;
    for (const [answer, field] of answers) {
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ field, message }] } });
    }
    expect((await call(webhookRoute, 'GET', { apiKey, params })).body.events).toEqual(PUBLIC_EVENT_TYPES);
    expect(desk.receiver.received).toEqual([]);
  });

  test('reaches every administrators’ webhook and no developer’s', async () => {
    await register(apiKey);
    expect((await register(TEST_ADMIN_TOKEN, { events: ['system.alert'] })).status).toBe(201);
    const now = new Date(START_MS);
    const data = sampleData({ amountDrops: 1_000_000n, investorAccount: WALLET, now })['system.alert'];
    const subject = randomBytes(8).toString('hex');
    const alert = { type: 'system.alert' as const, subject, projectId: null, occurredAt: now, data };
    expect(await desk.stage.ctx.db.transaction((tx) => appendEvents(tx, [alert]))).toBe(1);
    expect(await fanOutEvents(desk.stage.ctx, Number.POSITIVE_INFINITY)).toMatchObject({ deliveries: 1 });
    await dispatchFirstAttempts(desk.stage.ctx, desk.stage.ctx.clock.nowMs() + 10_000);
    expect(desk.receiver.received.map(({ body }) => JSON.parse(body))).toMatchObject([
      { event_type: 'system.alert', data: { kind: 'balance_difference' } },
    ]);
  });
});

describe('an administrator', () => {
  test('registers webhooks for all of them, without a limit, and gets every event by default', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => register(TEST_ADMIN_TOKEN)));
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(201));
    expect(answers[0]?.body.events).toEqual(EVENT_TYPES);
    const { body } = await call(webhooksRoute, 'GET', { apiKey: TEST_READ_ONLY_TOKEN });
    expect(body.webhooks).toHaveLength(5);
  });

  test('sees none of a developer’s webhooks, nor a developer theirs', async () => {
    const theirs = { id: String((await register(apiKey)).body.id) };
    const ours = { id: String((await register(TEST_ADMIN_TOKEN)).body.id) };
    for (const [token, params] of [
      [TEST_ADMIN_TOKEN, theirs],
      [apiKey, ours],
    ] as const) {
      expect((await call(webhookRoute, 'GET', { apiKey: token, params })).status).toBe(404);
      expect((await call(webhookRoute, 'DELETE', { apiKey: token, params })).status).toBe(404);
      expect((await call(deliveryRoute, 'GET', { apiKey: token, params })).status).toBe(404);
    }
  });

  test('who may only read changes nothing and sends nothing', async () => {
    const params = { id: String((await register(TEST_ADMIN_TOKEN)).body.id) };
    const body = { webhook_id: params.id, event_type: 'system.alert' };
    for (const answer of [
      await register(TEST_READ_ONLY_TOKEN),
      await call(webhookRoute, 'PATCH', { apiKey: TEST_READ_ONLY_TOKEN, params, body: { active: false } }),
      await call(webhookRoute, 'DELETE', { apiKey: TEST_READ_ONLY_TOKEN, params }),
      await call(testRoute, 'POST', { apiKey: TEST_READ_ONLY_TOKEN, body }),
    ]) {
      expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    }
    expect((await call(webhookRoute, 'GET', { apiKey: TEST_READ_ONLY_TOKEN, params })).status).toBe(200);
    expect((await call(deliveryRoute, 'GET', { apiKey: TEST_READ_ONLY_TOKEN, params })).status).toBe(200);
    expect((await call(webhooksRoute, 'GET', { apiKey: TEST_CRON_SECRET })).status).toBe(403);
  });

  test('tests, changes and deletes them, and each change stands in the audit log without the address', async () => {
    const params = { id: String((await register(TEST_ADMIN_TOKEN)).body.id) };
    const body = { webhook_id: params.id, event_type: 'system.alert' };
    expect(await call(testRoute, 'POST', { apiKey: TEST_ADMIN_TOKEN, body })).toMatchObject({
      status: 200,
      body: { status: 'success', event_type: 'system.alert' },
    });
    const changed = await call(webhookRoute, 'PATCH', {
      apiKey: TEST_ADMIN_TOKEN,
      params,
      body: { events: ['system.alert'] },
    });
    expect(changed.body.events).toEqual(['system.alert']);
    expect((await call(webhookRoute, 'DELETE', { apiKey: TEST_ADMIN_TOKEN, params })).status).toBe(200);
    const [row] = await rowsOf(desk.stage.ctx.db, 'webhooks', { id: params.id });
    expect(row).toMatchObject({ active: false, tenantId: 'ten_administrators' });
    const entries = await rowsOf(desk.stage.ctx.db, 'auditEntries', { subject: params.id });
    expect(entries.map(({ actor, action }) => [actor, action]).toSorted()).toEqual([
      ['administrator:operator', 'webhook.delete'],
      ['administrator:operator', 'webhook.register'],
      ['administrator:operator', 'webhook.test'],
      ['administrator:operator', 'webhook.update'],
    ]);
    expect(entries.find(({ action }) => action === 'webhook.update')).toMatchObject({
      before: { host: '127.0.0.1', events: EVENT_TYPES, active: true },
      after: { host: '127.0.0.1', events: ['system.alert'], active: true },
    });
    expect(entries.find(({ action }) => action === 'webhook.delete')).toMatchObject({ before: { active: true } });
    expect(JSON.stringify(entries)).not.toContain(desk.receiver.url);
  });
});
