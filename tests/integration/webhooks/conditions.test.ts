import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { deliveries, events } from '#drizzle/schema/events.ts';
import { appendEvents } from '#lib/events/append.ts';
import { EVENT_CATALOGUE, EVENT_TYPES, type EventType } from '#lib/events/catalogue.ts';
import { fanOutEvents } from '#lib/webhooks/delivery/fan-out.ts';
import { EVENT_STATUSES } from '#lib/webhooks/schemas.ts';
import { exampleOf, sampleData } from '#lib/webhooks/testing/samples.ts';
import { START_MS } from '#tests/support/ctx.ts';
import { TEST_ADMIN_TOKEN } from '#tests/support/env.ts';
import * as eventsRoute from '../../../app/api/events/route.ts';
import * as replaysRoute from '../../../app/api/webhooks/[id]/replays/route.ts';
import * as webhookRoute from '../../../app/api/webhooks/[id]/route.ts';
import * as webhooksRoute from '../../../app/api/webhooks/route.ts';
import { call } from './call.ts';
import { asDeveloper, openStage, type Stage, WALLET } from './stage.ts';

let stage: Stage;
let apiKey: string;
beforeAll(async () => {
  stage = await openStage({ RATE_LIMIT_SCALE: '1000' });
});
afterAll(() => stage.close());
beforeEach(async () => {
  await stage.reset();
  apiKey = (await asDeveloper(stage.ctx)).apiKey;
});

const register = (body: object) =>
  call(webhooksRoute, 'POST', { apiKey, body: { url: 'https://receiver.example.com/hook', ...body } });

/** Reports one event of each of these types around an amount, and fans them out. */
async function report(drops: bigint, ...types: EventType[]): Promise<void> {
  const occurredAt = new Date(START_MS);
  const sample = sampleData({ amountDrops: drops, investorAccount: WALLET, now: occurredAt });
  const subject = () => randomBytes(8).toString('hex');
  await stage.ctx.db.transaction((tx) =>
    appendEvents(
      tx,
      types.map((type) => ({ type, subject: subject(), projectId: null, occurredAt, data: sample[type] })),
    ),
  );
  await fanOutEvents(stage.ctx, Number.POSITIVE_INFINITY);
}

/** What a webhook is sent: the type of each event and its amount. */
const sentTo = async (id: unknown) =>
  (
    await stage.ctx.db
      .select({ body: events.body })
      .from(deliveries)
      .innerJoin(events, eq(events.id, deliveries.eventId))
      .where(eq(deliveries.webhookId, String(id)))
      .orderBy(events.sequence)
  ).map(({ body }) => shown(JSON.parse(body)));
const shown = ({ event_type: type, data }: { event_type: string; data: Record<string, unknown> }) =>
  `${type} ${data.amount_xrp ?? data.confirmed_amount_xrp ?? ''}`.trim();

test('a least amount leaves out smaller payments by the drop, and nothing that has no amount; a replay and the list too', async () => {
  const { body } = await register({ min_amount_xrp: '100' });
  expect(body).toMatchObject({ min_amount_xrp: '100.000000', statuses: null });
  await report(99_999_999n, 'investment.created', 'investment.confirmed', 'investment.refunded');
  await report(100_000_000n, 'investment.created', 'investment.confirmed', 'investment.tokens_distributed');
  const wanted = ['investment.created 100.000000', 'investment.confirmed 100.000000', 'investment.tokens_distributed'];
  expect(await sentTo(body.id)).toEqual(wanted);
  const list = await call(eventsRoute, 'GET', { apiKey, query: '?min_amount_xrp=100' });
  expect((list.body.events as Parameters<typeof shown>[0][]).map(shown)).toEqual(wanted);
  const dryRun = await call(replaysRoute, 'POST', {
    apiKey,
    params: { id: String(body.id) },
    body: { from: '2020-01-01T00:00:00Z', selection: 'all', dry_run: true },
  });
  // All that the webhook wants is on its way already, and the rest is not wanted.
  expect(dryRun.body).toMatchObject({ total: 0 });

  const params = { id: String(body.id) };
  expect((await call(webhookRoute, 'PATCH', { apiKey, params, body: { description: 'x' } })).body).toMatchObject({
    min_amount_xrp: '100.000000',
  });
  await call(webhookRoute, 'PATCH', { apiKey, params, body: { min_amount_xrp: null } });
  await report(1n, 'investment.created');
  expect((await sentTo(body.id)).at(-1)).toBe('investment.created 0.000001');
});

test('statuses leave out events of another one, and nothing that has no status', async () => {
  const { body } = await register({ statuses: ['confirmed', 'down', 'confirmed'] });
  expect(body).toMatchObject({ statuses: ['confirmed', 'down'] });
  await report(1_000_000n, 'investment.created', 'investment.confirmed', 'investment.failed', 'project.launched');
  // The sample is of a degraded ledger.
  await report(1_000_000n, 'system.network_status');
  const wanted = ['investment.confirmed 1.000000', 'project.launched'];
  expect(await sentTo(body.id)).toEqual(wanted);
  const list = await call(eventsRoute, 'GET', { apiKey, query: '?statuses=confirmed,down' });
  expect((list.body.events as Parameters<typeof shown>[0][]).map(shown)).toEqual(wanted);
  const both = await call(eventsRoute, 'GET', { apiKey, query: '?statuses=confirmed&min_amount_xrp=1.000001' });
  expect((both.body.events as Parameters<typeof shown>[0][]).map(shown)).toEqual(['project.launched']);
});

test.each([
  [{ min_amount_xrp: '-1' }, 'min_amount_xrp'],
  [{ min_amount_xrp: 100 }, 'min_amount_xrp'],
  [{ statuses: [] }, 'statuses'],
  [{ statuses: ['paid'] }, 'statuses[0]'],
])('a condition %j is refused by name', async (condition, field) => {
  expect(await register(condition)).toMatchObject({ status: 400, body: { errors: [{ field }] } });
});

test.each(['min_amount_xrp=x', 'statuses=paid', 'statuses='])('the list refuses %s', async (query) => {
  expect((await call(eventsRoute, 'GET', { apiKey, query: `?${query}` })).status).toBe(400);
});

test('a change of the administrators’ conditions is in the audit log', async () => {
  const { body } = await call(webhooksRoute, 'POST', {
    apiKey: TEST_ADMIN_TOKEN,
    body: { url: 'https://receiver.example.com/hook', min_amount_xrp: '5' },
  });
  expect(body).toMatchObject({ min_amount_xrp: '5.000000' });
  const entries = await stage.ctx.db.execute<{ after: object }>(
    `select after from audit_entries where subject = '${body.id}'`,
  );
  expect(entries.rows).toMatchObject([{ after: { min_amount_xrp: '5.000000', statuses: null } }]);
});

test('the statuses are all that an event can have, and amounts have the two names alone', () => {
  const found = new Set<string>();
  for (const type of EVENT_TYPES) {
    const schema = EVENT_CATALOGUE[type].unwrap();
    if (!('shape' in schema)) continue;
    const { status } = schema.shape as Record<string, { values?: Set<string>; options?: string[] }>;
    for (const value of status?.values ?? status?.options ?? []) found.add(value);
    const amounts = Object.keys(exampleOf(type).data).filter((name) => name.endsWith('amount_xrp'));
    expect(['amount_xrp', 'confirmed_amount_xrp']).toEqual(expect.arrayContaining(amounts));
  }
  expect([...found].toSorted()).toEqual([...EVENT_STATUSES].toSorted());
});
