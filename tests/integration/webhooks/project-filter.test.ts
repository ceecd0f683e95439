import { randomBytes } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deliveries, events } from '#drizzle/schema/events.ts';
import { appendEvents } from '#lib/events/append.ts';
import { fanOutEvents } from '#lib/webhooks/delivery/fan-out.ts';
import { sweepDeliveries } from '#lib/webhooks/delivery/sweep.ts';
import { sampleData } from '#lib/webhooks/testing/samples.ts';
import { START_MS } from '#tests/support/ctx.ts';
import { TEST_ADMIN_TOKEN } from '#tests/support/env.ts';
import { changeRows, rowsOf } from '#tests/support/rows.ts';
import { seedSale } from '#tests/support/sale.ts';
import * as webhookRoute from '../../../app/api/webhooks/[id]/route.ts';
import * as webhooksRoute from '../../../app/api/webhooks/route.ts';
import { call } from './call.ts';
import { asDeveloper, openStage, reportInvestments, type Stage, WALLET } from './stage.ts';

const url = 'https://receiver.example.com/hook';
const occurredAt = new Date(START_MS);
let stage: Stage;
let apiKey: string;
let projectId: string;
let draftId: string;
let otherId: string;

beforeAll(async () => {
  stage = await openStage({ RATE_LIMIT_SCALE: '1000' });
  projectId = (await seedSale(stage.ctx.db, { tag: 1 })).projectId;
  draftId = (await seedSale(stage.ctx.db, { tag: 2 })).projectId;
  otherId = (await seedSale(stage.ctx.db, { tag: 3 })).projectId;
  await changeRows(stage.ctx.db, 'projects', { id: draftId }, { status: 'draft' });
});
afterAll(() => stage.close());
beforeEach(async () => {
  await stage.reset();
  apiKey = (await asDeveloper(stage.ctx)).apiKey;
});

const register = (body: object, key = apiKey) => call(webhooksRoute, 'POST', { apiKey: key, body: { url, ...body } });

/** Events of one type each about these projects; null is about none. */
async function report(...projectIds: (string | null)[]): Promise<void> {
  const sample = sampleData({ amountDrops: 1_000_000n, investorAccount: WALLET, now: occurredAt });
  const subject = () => randomBytes(8).toString('hex');
  await stage.ctx.db.transaction((tx) =>
    appendEvents(
      tx,
      projectIds.map((id) =>
        id === null
          ? {
              type: 'system.maintenance_end' as const,
              subject: subject(),
              projectId: null,
              occurredAt,
              data: sample['system.maintenance_end'],
            }
          : {
              type: 'investment.created' as const,
              subject: subject(),
              projectId: id,
              occurredAt,
              data: { ...sample['investment.created'], project_id: id },
            },
      ),
    ),
  );
  await fanOutEvents(stage.ctx, Number.POSITIVE_INFINITY);
}

const reached = async (id: unknown) =>
  (
    await stage.ctx.db
      .select({ project: events.projectId })
      .from(deliveries)
      .innerJoin(events, eq(events.id, deliveries.eventId))
      .where(eq(deliveries.webhookId, String(id)))
      .orderBy(events.sequence)
  ).map(({ project }) => project);

describe('the project of a webhook', () => {
  test('limits it to that project’s events and those of none, from the change on; null is every project', async () => {
    const { body } = await register({ project_id: projectId });
    const all = await register({});
    expect([body.project_id, all.body.project_id]).toEqual([projectId, null]);
    await report(projectId, otherId, null);
    expect(await reached(body.id)).toEqual([projectId, null]);
    expect(await reached(all.body.id)).toEqual([projectId, otherId, null]);

    const params = { id: String(body.id) };
    const changed = await call(webhookRoute, 'PATCH', { apiKey, params, body: { project_id: null } });
    expect(changed.body).toMatchObject({ project_id: null, url });
    await report(otherId);
    expect(await reached(body.id)).toEqual([projectId, null, otherId]);
    const unchanged = await call(webhookRoute, 'PATCH', { apiKey, params, body: { description: 'x' } });
    expect(unchanged.body).toMatchObject({ project_id: null });
    expect((await call(webhooksRoute, 'GET', { apiKey })).body.webhooks).toHaveLength(2);
  });

  test.each([
    ['proj_0000000000000000000000', 'is no launched project: GET /api/projects lists them; null means all'],
    ['sale', 'must be a project id (proj_…), or null'],
    [7, expect.any(String)],
  ])('that is %s is refused by name, at registration and at a change', async (project_id, message) => {
    const params = { id: String((await register({})).body.id) };
    const refused = { status: 400, body: { errors: [{ field: 'project_id', message }] } };
    expect(await register({ project_id })).toMatchObject(refused);
    expect(await call(webhookRoute, 'PATCH', { apiKey, params, body: { project_id } })).toMatchObject(refused);
  });

  test('may be a draft for administrators only: to others it looks like none', async () => {
    const unknown = await register({ project_id: 'proj_0000000000000000000000' });
    const draft = await register({ project_id: draftId });
    expect(draft.status).toBe(400);
    expect(draft.body.errors).toEqual(unknown.body.errors);
    expect((await register({ project_id: draftId }, TEST_ADMIN_TOKEN)).body).toMatchObject({ project_id: draftId });
  });
});

test('deleting a webhook cancels all that waits for it, from the same transaction on, and nothing of another', async () => {
  const { body } = await register({});
  const other = await register({});
  await reportInvestments(stage.ctx.db, 1_200);
  await stage.ctx.db.execute(sql`
    update deliveries set status = 'retrying' where id in (select id from deliveries order by id limit 500)`);
  const params = { id: String(body.id) };
  // A write after the deletion that fails takes it back whole.
  await stage.ctx.db.execute(sql`alter table deliveries add constraint none_cancelled check (status <> 'cancelled')`);
  expect((await call(webhookRoute, 'DELETE', { apiKey, params })).status).toBe(500);
  const [still] = await rowsOf(stage.ctx.db, 'webhooks', { id: params.id });
  expect(still).toMatchObject({ active: true, deletedAt: null });
  await stage.ctx.db.execute(sql`alter table deliveries drop constraint none_cancelled`);

  expect((await call(webhookRoute, 'DELETE', { apiKey, params })).status).toBe(200);
  await sweepDeliveries(stage.ctx);
  const rows = await stage.ctx.db.execute<{ own: boolean; cancelled: boolean; count: string }>(sql`
    select webhook_id = ${params.id} as own, status = 'cancelled' as cancelled, count(*) from deliveries
    group by 1, 2 order by 1`);
  expect(rows.rows).toEqual([
    { own: false, cancelled: false, count: '1200' },
    { own: true, cancelled: true, count: '1200' },
  ]);
  expect((await call(webhookRoute, 'GET', { apiKey, params: { id: String(other.body.id) } })).status).toBe(200);
});
