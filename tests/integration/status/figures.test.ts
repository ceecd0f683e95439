import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { countMinutes } from '#lib/ops/status/delivery-minutes.ts';
import {
  deliveryQueues,
  foreignChanges,
  heldPayments,
  lateDiscoveries,
  outcomesOfDay,
  payoutStates,
  readMetrics,
} from '#lib/ops/status/read-figures.ts';
import { newWebhook, reportInvestments } from '#tests/integration/webhooks/stage.ts';
import { attemptDeliveries } from './attempted.ts';
import { openWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
  await newWebhook(world.ctx, 'http://127.0.0.1:9/');
});
afterAll(() => world.close());
beforeEach(async () => {
  await run(sql`truncate delivery_attempts, deliveries, events, delivery_minutes, job_runs, payouts cascade`);
});

const run = (statement: SQL) => world.database.db.execute(statement);
const figures = async () => (await readMetrics(world.database.db)).metrics;

const attempted = (count: number) => attemptDeliveries(world.database.db, count);

describe('the counted minutes', () => {
  test('hold each attempt once, however many count at the same time and how often', async () => {
    await attempted(300);
    await Promise.all([1, 2, 3].map(() => countMinutes(world.database.db)));
    expect(await countMinutes(world.database.db)).toBe(0);
    expect((await figures()).deliveries_24h).toMatchObject({
      delivered: 240,
      given_up: 30,
      failed_attempts: 60,
      success_rate: 0.8888,
    });
  });

  test('give the latencies of the deliveries themselves, to a quarter, also once their attempts are pruned', async () => {
    await attempted(300);
    await countMinutes(world.database.db);
    const { rows } = await run(sql`
      select percentile_disc(array[0.5, 0.95]) within group (order by extract(epoch from delivered_at - created_at)
        * 1000)::float8[] as exact from deliveries where status = 'success'`);
    await run(sql`truncate delivery_attempts`);
    const { p50, p95 } = (await figures()).deliveries_24h.latency_ms;
    const [exact50 = 0, exact95 = 0] = (rows[0] as { exact: number[] }).exact;
    expect(Math.abs((p50 ?? 0) - exact50) / exact50).toBeLessThan(0.25);
    expect(Math.abs((p95 ?? 0) - exact95) / exact95).toBeLessThan(0.25);
  });

  test('leave attempts to a later run while some that began beside them may be under way', async () => {
    await attempted(10);
    await run(sql`update delivery_attempts set started_at = now() - interval '59 seconds'`);
    expect(await countMinutes(world.database.db)).toBe(0);
    await run(sql`update delivery_attempts set started_at = now() - interval '121 seconds'`);
    expect(await countMinutes(world.database.db)).toBeGreaterThan(1);
  });

  test('hold no test events, and nothing older than a day', async () => {
    await attempted(10);
    await run(sql`update events set is_test = true`);
    await run(sql`insert into delivery_minutes values (now() - interval '26 hours', 'delivered', 5, 7)`);
    await countMinutes(world.database.db);
    expect((await run(sql`select sum(attempts)::integer as attempts from delivery_minutes`)).rows).toEqual([
      { attempts: 0 },
    ]);
  });

  test('go on past an hour of nothing but test events', async () => {
    await attempted(20);
    await run(sql`update delivery_attempts set started_at = started_at - interval '3 hours' where delivery_id in
      (select id from deliveries order by id limit 10)`);
    await run(sql`update events set is_test = true where id in (select event_id from deliveries order by id limit 10)`);
    await countMinutes(world.database.db);
    await countMinutes(world.database.db);
    expect((await figures()).deliveries_24h.delivered).toBe(8);
  });

  test('make up for a long pause, an hour a run', async () => {
    await attempted(300);
    await run(sql`update delivery_attempts set started_at = started_at - interval '10 minutes' * (attempt + 10)
      where delivery_id in (select id from deliveries order by id limit 150)`);
    const counted = [await countMinutes(world.database.db), await countMinutes(world.database.db)];
    expect(counted.every((rows) => rows > 0)).toBe(true);
    expect(await countMinutes(world.database.db)).toBe(0);
    expect((await figures()).deliveries_24h.delivered).toBe(240);
  });
});

describe('the queues', () => {
  test('are empty without work', async () => {
    const { deliveries, payouts, held_payments } = await figures();
    expect(deliveries).toEqual({
      waiting: 0,
      waiting_oldest_seconds: null,
      retries_due: 0,
      retries_due_oldest_seconds: null,
    });
    expect(payouts.map(({ status }) => status)).toEqual(['scheduled', 'waiting_holder', 'ready', 'submitted', 'held']);
    expect(payouts.every(({ count, oldest_seconds }) => count === 0 && oldest_seconds === null)).toBe(true);
    expect(held_payments).toEqual({ count: 0, oldest_seconds: null });
  });

  test('show what waits and for how long, first attempts apart from retries', async () => {
    await reportInvestments(world.database.db, 10);
    await run(sql`
      with numbered as (select id, row_number() over (order by id) as n from deliveries)
      update deliveries d set status = case when n <= 3 then 'retrying' when n <= 5 then 'success' else 'pending' end,
        due_at = now() - n * interval '100 seconds' + case when n = 1 then interval '1 hour' else interval '0' end
      from numbered where numbered.id = d.id`);
    const { deliveries } = await figures();
    expect(deliveries).toMatchObject({ waiting: 5, retries_due: 2 });
    expect(Math.round((deliveries.waiting_oldest_seconds ?? 0) / 100)).toBe(10);
    expect(Math.round((deliveries.retries_due_oldest_seconds ?? 0) / 100)).toBe(3);
  });

  test('show payouts by state, and those that are done with nowhere', async () => {
    await run(sql`
      insert into payouts (id, kind, account, destination, amount, status, due_at)
      select 'pay_' || n, 'release', 'rA', 'rB', 1, (array['held', 'ready', 'validated', 'cancelled'])[1 + n % 4],
        now() - n * interval '100 seconds' + case when n < 5 then interval '1 hour' else interval '0' end
      from generate_series(1, 12) n`);
    const shown = (await figures()).payouts.filter(({ count }) => count > 0);
    expect(shown).toMatchObject([
      { status: 'ready', count: 3 },
      { status: 'held', count: 3 },
    ]);
    expect(shown.map(({ oldest_seconds }) => Math.round((oldest_seconds ?? 0) / 100))).toEqual([9, 12]);
  });

  test('show each job, run or not, and whether it is late', async () => {
    await run(sql`insert into job_runs (name, started_at) values ('process-payments', now() - interval '181 seconds')`);
    const { jobs } = await figures();
    expect(jobs).toContainEqual(expect.objectContaining({ name: 'process-payments', late: true }));
    expect(jobs).toContainEqual({
      name: 'trustline-monitor',
      last_started_at: null,
      last_finished_at: null,
      late: null,
    });
  });
});

test.each([
  ['deliveries', deliveryQueues],
  ['payouts', payoutStates],
  ['held payments', heldPayments],
  ['attempts of the day', outcomesOfDay],
  ['foreign changes', foreignChanges],
  ['late discoveries', lateDiscoveries],
])('the figures of %s have an index for whatever size', async (_name, figure) => {
  const plan = await world.database.db.transaction(async (tx) => {
    // Of empty tables a scan would be the cheaper one.
    await tx.execute(sql`set local enable_seqscan = off`);
    return tx.execute<Record<'QUERY PLAN', string>>(sql`explain select ${figure}`);
  });
  const scans = plan.rows.map((row) => row['QUERY PLAN']).filter((line) => line.includes('Scan'));
  expect(scans).not.toEqual([]);
  expect(scans.filter((line) => line.includes('Seq Scan'))).toEqual([]);
});
