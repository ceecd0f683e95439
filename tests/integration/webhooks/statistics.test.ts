import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { Pool } from 'pg';
import { beforeEach, describe, expect, test } from 'vitest';
import { type DeliveryStatistics, MOST_COUNTED } from '#lib/webhooks/log/contracts.ts';
import { getDeliveryStatistics } from '#lib/webhooks/log/delivery-statistics.ts';
import * as statisticsRoute from '../../../app/api/webhooks/[id]/statistics/route.ts';
import { call } from './call.ts';
import { dispatching } from './dispatching.ts';
import { asDeveloper, newWebhook, reportInvestments } from './stage.ts';

const URL = 'https://desk.receiver.example.com/hook';
const desk = dispatching({ RATE_LIMIT_SCALE: '1000' });
let made: Awaited<ReturnType<typeof newWebhook>>;
let params: { id: string };

beforeEach(async () => {
  made = await newWebhook(desk.stage.ctx, URL);
  params = { id: made.webhook.id };
});

const read = async (query = '', apiKey = made.developer.apiKey) =>
  call(statisticsRoute, 'GET', { apiKey, params, query });
const statistics = async (query = '') => (await read(query)).body as unknown as DeliveryStatistics;

/** Makes deliveries so many minutes ago, with an outcome; delivered after `latencyMs`. */
async function deliveries(minutesAgo: number, status: string, count: number, latencyMs = 0): Promise<void> {
  await reportInvestments(desk.stage.ctx.db, count);
  await desk.stage.ctx.db.execute(sql`
    update deliveries set status = ${status}, due_at = null, event_sequence = -1,
      created_at = now() - make_interval(mins => ${minutesAgo}::integer),
      delivered_at = case when ${status} = 'success'
        then now() - make_interval(mins => ${minutesAgo}::integer) + ${latencyMs}::integer * interval '1 millisecond' end
    where event_sequence > 0`);
}

describe('the statistics of a webhook', () => {
  test('count each delivery once, by its outcome, in the span in which it was made, with the latency of those that arrived', async () => {
    await deliveries(3, 'success', 3, 100);
    await deliveries(3, 'success', 1, 900);
    await deliveries(20, 'failed', 1);
    await deliveries(40, 'cancelled', 2);
    await deliveries(45, 'retrying', 1);
    await deliveries(45, 'pending', 1);
    const { totals, spans, from, to, counted_from } = await statistics('?period=hour');
    expect(totals).toEqual({
      ...{ success: 4, failed: 1, cancelled: 2, unfinished: 2, success_rate: 0.8 },
      latency_ms: { p50: 100, p95: 780 },
    });
    expect(spans).toHaveLength(30);
    expect([spans[0]!.from, counted_from]).toEqual([from, from]);
    expect(Date.parse(to) - Date.parse(from)).toBe(3_600_000);
    const busy = spans.filter((one) => one.success + one.failed + one.cancelled + one.unfinished > 0);
    expect(busy.map(({ success, failed, cancelled, unfinished }) => [success, failed, cancelled, unfinished])).toEqual([
      [0, 0, 0, 2],
      [0, 0, 2, 0],
      [0, 1, 0, 0],
      [4, 0, 0, 0],
    ]);
    expect(busy.at(-1)?.latency_ms).toEqual({ p50: 100, p95: 780 });
    expect(busy[0]?.latency_ms).toEqual({ p50: null, p95: null });
  });

  test('are of the last hour, day or week, and of a day where nothing is said', async () => {
    await deliveries(30, 'success', 1);
    await deliveries(600, 'success', 1);
    await deliveries(4_000, 'success', 1);
    await deliveries(20_000, 'success', 1);
    const of = async (query: string) => {
      const { period, totals } = await statistics(query);
      return [period, totals.success];
    };
    expect(await Promise.all(['?period=hour', '?period=day', '?period=week', ''].map(of))).toEqual([
      ['hour', 1],
      ['day', 2],
      ['week', 3],
      ['day', 2],
    ]);
    expect((await statistics()).totals.success_rate).toBe(1);
    expect(await read('?period=year')).toMatchObject({ status: 400, body: { errors: [{ field: 'period' }] } });
  });

  test('without a delivery say so, and are nobody else’s to read', async () => {
    expect((await statistics()).totals).toEqual({
      ...{ success: 0, failed: 0, cancelled: 0, unfinished: 0, success_rate: null },
      latency_ms: { p50: null, p95: null },
    });
    const stranger = await asDeveloper(desk.stage.ctx);
    expect(await read('', stranger.apiKey)).toMatchObject({ status: 404, body: { code: 'webhook_not_found' } });
  });
});

test(`of 200,000 deliveries in a week, ${MOST_COUNTED} are counted by one statement over the index of the log, and what was not counted is said`, async () => {
  const { ctx, database } = desk.stage;
  await reportInvestments(ctx.db, 1);
  await ctx.db.execute(sql`
    with seed as (select event_id, webhook_id from deliveries limit 1)
    insert into deliveries (id, event_id, webhook_id, resend_of, event_sequence, status, due_at, created_at, delivered_at)
    select 'del_' || n, event_id, webhook_id, 'del_first', n,
      case when n % 50 = 0 then 'failed' else 'success' end, null,
      now() - n * interval '3 seconds',
      case when n % 50 <> 0 then now() - n * interval '3 seconds' + (n % 1000) * interval '1 millisecond' end
    from seed, generate_series(1, 200000) n`);
  await ctx.db.execute(sql`vacuum analyze deliveries`);
  const asked: { text: string; params: unknown[] }[] = [];
  const pool = new Pool({ connectionString: database.url, max: 1 });
  const db = drizzle(pool, {
    casing: 'snake_case',
    logger: { logQuery: (text, given) => void asked.push({ text, params: given }) },
  });
  try {
    const { totals, counted_from, from } = await getDeliveryStatistics(
      { ...made.developer, db },
      made.webhook.id,
      'week',
    );
    expect(totals.success + totals.failed + totals.unfinished).toBe(MOST_COUNTED);
    expect(counted_from > from).toBe(true);
    const counting = asked.filter(({ text }) => text.includes('percentile_cont'));
    expect(counting).toHaveLength(1);
    const { rows } = await pool.query<{ 'QUERY PLAN': string }>(
      `explain (analyze, buffers) ${counting[0]!.text}`,
      counting[0]!.params,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/Index (Only )?Scan Backward using deliveries_log/);
    expect(plan).not.toContain('Seq Scan');
  } finally {
    await pool.end();
  }
});
