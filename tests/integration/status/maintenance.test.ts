import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { events } from '#drizzle/schema/events.ts';
import { dispatchDeliveries } from '#lib/jobs/dispatch-deliveries.ts';
import { systemStatus } from '#lib/ops/status/contracts.ts';
import { getStatus } from '#lib/ops/status/get-status.ts';
import { rowsOf } from '#tests/support/rows.ts';
import * as endRoute from '../../../app/api/admin/maintenance/end/route.ts';
import * as maintenanceRoute from '../../../app/api/admin/maintenance/route.ts';
import { TEST_ADMIN_TOKEN, TEST_READ_ONLY_TOKEN } from '../../support/env.ts';
import { call } from '../webhooks/call.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';
import { asDeveloper, newWebhook, openStage, type Stage } from '../webhooks/stage.ts';

const MESSAGE = 'The database is moved; payments stay safe.';
const IN_AN_HOUR = () => new Date(Date.now() + 3_600_000).toISOString();
let stage: Stage;
let receiver: Receiver;

beforeAll(async () => {
  stage = await openStage({ RATE_LIMIT_SCALE: '1000' });
});
afterAll(() => stage.close());
beforeEach(async () => {
  await stage.reset();
  await stage.ctx.db.execute(sql`truncate maintenances, audit_entries`);
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

const start = (body: object = {}, apiKey = TEST_ADMIN_TOKEN) =>
  call(maintenanceRoute, 'POST', { apiKey, body: { message: MESSAGE, reason: 'planned, ticket 12', ...body } });
const end = (apiKey = TEST_ADMIN_TOKEN) => call(endRoute, 'POST', { apiKey, body: { reason: 'done' } });
const list = (query = '') => call(maintenanceRoute, 'GET', { apiKey: TEST_READ_ONLY_TOKEN, query });
/** The status is kept for a moment: read it as of later. */
async function shown() {
  stage.ctx.clock.advance(60_000);
  const { maintenance } = systemStatus.parse(await getStatus(stage.ctx));
  return maintenance;
}

describe('a maintenance', () => {
  test('is told to every webhook at its start and at its end, and shown while it lasts', async () => {
    await newWebhook(stage.ctx, receiver.url);
    await newWebhook(stage.ctx, receiver.url);
    expect(await shown()).toBeNull();
    const expected_end_at = IN_AN_HOUR();
    const started = await start({ expected_end_at });
    expect(started).toMatchObject({
      status: 201,
      body: { message: MESSAGE, expected_end_at, started_by: 'operator', ended_at: null },
    });
    const { id, started_at } = started.body;
    expect((await stage.waiting()).filter(({ body }) => body.includes('"deliveries"'))).toHaveLength(1);
    expect(await shown()).toEqual({ message: MESSAGE, started_at, expected_end_at });
    expect((await list()).body).toMatchObject({ current: { id }, past: [] });
    await dispatchDeliveries(stage.ctx);

    const ended = await end();
    expect(ended).toMatchObject({ status: 200, body: { id, ended_by: 'operator', ended_at: expect.any(String) } });
    expect(await shown()).toBeNull();
    expect((await list()).body).toMatchObject({ current: null, past: [{ id }] });
    await dispatchDeliveries(stage.ctx);
    const sent = receiver.received.map(({ body }) => JSON.parse(body));
    expect(sent.map(({ event_type }) => event_type)).toEqual([
      'system.maintenance_start',
      'system.maintenance_start',
      'system.maintenance_end',
      'system.maintenance_end',
    ]);
    expect(sent[0]).toMatchObject({
      timestamp: started_at,
      data: { maintenance_id: id, message: MESSAGE, expected_end_at },
    });
    expect(sent[3].data).toEqual({ maintenance_id: id, message: MESSAGE, started_at, ended_at: ended.body.ended_at });
  });

  test('is one at a time, however many operators begin or end it at once', async () => {
    const codes = async (answers: Promise<{ status: number }>[]) =>
      (await Promise.all(answers)).map(({ status }) => status).toSorted();
    expect(await codes([start(), start(), start()])).toEqual([201, 409, 409]);
    expect(await codes([end(), end(), end()])).toEqual([200, 409, 409]);
    expect(await stage.ctx.db.$count(events)).toBe(2);
    expect((await start()).status).toBe(201);
  });

  test('stands in the audit log with who and why', async () => {
    const { body } = await start();
    await end();
    const entries = await rowsOf(stage.ctx.db, 'auditEntries', { subject: String(body.id) });
    expect(entries.map(({ actor, action, reason }) => [actor, action, reason]).toSorted()).toEqual([
      ['administrator:operator', 'maintenance.end', 'done'],
      ['administrator:operator', 'maintenance.start', 'planned, ticket 12'],
    ]);
  });

  test('is for operators: nobody else begins or ends it', async () => {
    const { apiKey } = await asDeveloper(stage.ctx);
    for (const token of [apiKey, TEST_READ_ONLY_TOKEN]) {
      expect((await start({}, token)).status).toBe(403);
      expect((await end(token)).status).toBe(403);
    }
    expect(await stage.ctx.db.$count(events)).toBe(0);
  });

  test.each([
    [{ message: '' }, 'message'],
    [{ message: 'line\nbreak' }, 'message'],
    [{ reason: undefined }, 'reason'],
    [{ expected_end_at: 'soon' }, 'expected_end_at'],
    [{ expected_end_at: '2020-01-01T00:00:00Z' }, 'expected_end_at'],
  ])('names what is wrong with %j', async (body, field) => {
    expect(await start(body)).toMatchObject({ status: 400, body: { errors: [{ field }] } });
  });

  test('of the past is listed page by page, the newest first', async () => {
    const ids: unknown[] = [];
    for (let n = 0; n < 3; n += 1) {
      ids.unshift((await start()).body.id);
      await end();
    }
    const first = await list('?limit=2');
    const rest = await list(`?limit=2&cursor=${first.body.next_cursor}`);
    const seen = [first, rest].flatMap(({ body }) => body.past as { id: string }[]).map(({ id }) => id);
    expect(seen).toEqual(ids);
    expect(rest.body.next_cursor).toBeNull();
  });
});
