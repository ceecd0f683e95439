import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { metricCounts } from '#drizzle/schema/health.ts';
import { jobRuns } from '#drizzle/schema/jobs.ts';
import { applyEnv } from '#lib/base/env.ts';
import { listFannedOut } from '#lib/events/append.ts';
import { EVENT_TYPES } from '#lib/events/catalogue.ts';
import { runJobs } from '#lib/jobs/engine.ts';
import { metricsExport } from '#lib/jobs/metrics-export.ts';
import { countMinutes, LATENCY_BOUNDS_MS } from '#lib/ops/status/delivery-minutes.ts';
import { getMetrics } from '#lib/ops/status/get-metrics.ts';
import { countAttempts } from '#lib/payouts/count-attempts.ts';
import { newWebhook } from '#tests/integration/webhooks/stage.ts';
import { testEnv } from '#tests/support/env.ts';
import { attributesOf, type OtlpReceiver, startReceiver } from '#tests/support/otlp/receiver.ts';
import { attemptDeliveries } from './attempted.ts';
import { openWorld, type World } from './world.ts';

const API_KEY = 'the-key-of-the-receiver';

let world: World;
let receiver: OtlpReceiver;
beforeAll(async () => {
  world = await openWorld();
  await newWebhook(world.ctx, 'http://127.0.0.1:9/');
  // A process loads it with its first export, which may then take longer than it may wait for the receiver: here none is the first.
  await import('@opentelemetry/exporter-metrics-otlp-proto');
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.database.db.execute(
    sql`truncate delivery_attempts, deliveries, events, delivery_minutes, metric_counts, payout_counts, job_runs, job_schedules cascade`,
  );
  receiver = await startReceiver();
  configure({
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${API_KEY}`,
  });
  return () => {
    vi.unstubAllEnvs();
    receiver.close();
  };
});

/** As a host sets them: the SDK reads the process's environment itself. */
function configure(settings: Record<string, string>): void {
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  const given = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('OTEL_')));
  applyEnv(testEnv({ XRPL_NETWORK_ID: '1000', ...given }));
}

/** One run of the job, a minute after the last one. */
async function exported() {
  await world.database.db.execute(sql`update job_schedules set due_at = now()`);
  const results = await runJobs(world.ctx, { jobs: [metricsExport] });
  return { faults: results.faults, received: receiver.received.at(-1) };
}

/** 300 attempts that have ended: 240 delivered, 30 to be tried again, 30 given up. */
async function attempt(): Promise<void> {
  await attemptDeliveries(world.database.db, 300);
  await countMinutes(world.database.db);
  await listFannedOut(world.database.db);
}

type Received = Awaited<ReturnType<typeof exported>>['received'];
const metric = (received: Received, name: string) => {
  const found = received?.metrics.find((one) => one.name === name);
  if (found === undefined) throw new Error(`No metric ${name}`);
  return found;
};
const sumOf = (received: Received, name: string) => {
  const { sum } = metric(received, name);
  if (sum === undefined) throw new Error(`${name} is no sum`);
  return sum;
};
const attempts = (received: Received) =>
  Object.fromEntries(
    sumOf(received, 'tranche_delivery_attempts').dataPoints.map((one) => [attributesOf(one).outcome, one.asDouble]),
  );
const spanOf = (received: Received) => {
  const [point] = sumOf(received, 'tranche_delivery_attempts').dataPoints;
  return [point?.startTimeUnixNano, point?.timeUnixNano];
};
const eventsOf = (received: Received, type: string) =>
  sumOf(received, 'tranche_events').dataPoints.find((one) => attributesOf(one).type === type)?.asDouble;

describe('the export of metrics', () => {
  test('goes to the address and with the headers and the name that the standard variables give', async () => {
    configure({ OTEL_SERVICE_NAME: 'sales-eu', OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=production' });
    const { faults, received } = await exported();
    expect(faults).toEqual([]);
    expect(received).toMatchObject({
      url: '/v1/metrics',
      headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/x-protobuf' },
      resource: {
        'service.name': 'sales-eu',
        'deployment.environment.name': 'production',
        'tranche.network': 'sandbox',
      },
    });
  });

  test('has every gauge of GET /api/system/metrics, with its labels', async () => {
    await world.database.db
      .insert(jobRuns)
      .values({ name: 'sync-holders', startedAt: new Date(), finishedAt: new Date() });
    const [{ received }, text] = [await exported(), await getMetrics(world.ctx)];
    const gauges = received?.metrics.filter(({ gauge }) => gauge !== undefined) ?? [];
    const shown = gauges.flatMap(({ name, gauge }) =>
      (gauge?.dataPoints ?? []).map((point) => {
        const labels = Object.entries(attributesOf(point)).map(([key, value]) => `${key}="${value}"`);
        return labels.length === 0 ? name : `${name}{${labels.join(',')}}`;
      }),
    );
    const expected = text
      .split('\n')
      .flatMap((line) => (line.startsWith('tranche_') ? [line.replace(/ \S+$/, '')] : []));
    expect(shown.length).toBeGreaterThan(30);
    expect(shown).toEqual(expected);
    // Prometheus gives these to every series itself: of ours, all would become one.
    expect(shown.filter((name) => /[{,](?:job|instance)=/.test(name))).toEqual([]);
  });

  test('is all of one time, each export of a later one, also where the status is an older one', async () => {
    const timesOf = (received: Received) => [
      ...new Set(
        (received?.metrics ?? []).flatMap(({ gauge, sum, histogram }) =>
          (gauge ?? sum ?? histogram)?.dataPoints.map(({ timeUnixNano }) => timeUnixNano),
        ),
      ),
    ];
    const [first, second] = [timesOf((await exported()).received), timesOf((await exported()).received)];
    expect([first.length, second.length]).toEqual([1, 1]);
    expect(Number(second[0])).toBeGreaterThan(Number(first[0]));
  });

  test('counts each attempt and event once, from process to process, in series that only grow', async () => {
    const before = (await exported()).received;
    expect(attempts(before)).toEqual({ delivered: 0, retried: 0, given_up: 0 });
    await attempt();
    const { received } = await exported();
    expect(attempts(received)).toEqual({ delivered: 240, retried: 30, given_up: 30 });
    expect(eventsOf(received, 'investment.created')).toBe(300);
    expect(sumOf(received, 'tranche_events').dataPoints.map((one) => attributesOf(one).type)).toEqual(EVENT_TYPES);
    expect(sumOf(received, 'tranche_delivery_attempts')).toMatchObject({
      aggregationTemporality: 'AGGREGATION_TEMPORALITY_CUMULATIVE',
      isMonotonic: true,
    });
    const [latency] = metric(received, 'tranche_delivery_duration_seconds').histogram?.dataPoints ?? [];
    expect(latency).toMatchObject({ count: '240', explicitBounds: LATENCY_BOUNDS_MS.map((ms) => ms / 1_000) });
    expect(latency?.bucketCounts).toHaveLength(LATENCY_BOUNDS_MS.length + 1);
    expect(latency?.bucketCounts.reduce((sum, one) => sum + Number(one), 0)).toBe(240);
    // Nothing new, and what the pruning takes away is counted all the same.
    await world.database.db.execute(sql`truncate delivery_minutes`);
    const after = (await exported()).received;
    expect(attempts(after)).toEqual(attempts(received));
    expect(spanOf(after)[0]).toBe(spanOf(before)[0]);
    expect(Number(spanOf(after)[1])).toBeGreaterThan(Number(spanOf(received)[1]));
  });

  test('counts each payout attempt by kind, outcome and reason, from when the counting began', async () => {
    const ended = (received: Received) =>
      Object.fromEntries(
        sumOf(received, 'tranche_payout_attempts_ended').dataPoints.map((one) => {
          const { kind, outcome, reason } = attributesOf(one);
          return [[kind, outcome, reason].filter(Boolean).join(' '), one.asDouble];
        }),
      );
    const count = (account: string, attempts: Parameters<typeof countAttempts>[2]) =>
      world.database.db.transaction((tx) => countAttempts(tx, account, attempts));
    const paid = { kind: 'distribution', outcome: 'validated', reason: null } as const;
    await count('rBefore', [paid]);
    const kinds = ['distribution', 'refund', 'release', 'lock', 'unlock'];
    const none = Object.fromEntries(kinds.map((kind) => [`${kind} validated`, 0]));
    expect(ended((await exported()).received)).toEqual(none);
    await count('rOne', [paid, paid, { kind: 'distribution', outcome: 'failed', reason: 'tecPATH_DRY' }]);
    await count('rOther', [paid, { kind: 'refund', outcome: 'signed', reason: null }]);
    await exported();
    await count('rOne', [{ kind: 'refund', outcome: 'expired', reason: null }]);
    const { received } = await exported();
    const expected = {
      ...none,
      'distribution validated': 3,
      'distribution failed tecPATH_DRY': 1,
      'refund expired': 1,
    };
    expect(ended(received)).toEqual(expected);
    const signed = sumOf(received, 'tranche_payout_attempts_signed').dataPoints;
    expect(signed.map((one) => [attributesOf(one).kind, one.asDouble])).toEqual([
      ...kinds.map((kind) => [kind, kind === 'refund' ? 1 : 0]),
    ]);
  });

  test('goes on with counts that were written before payouts were counted', async () => {
    await exported();
    await world.database.db.execute(
      sql`update metric_counts set counts = counts - 'payouts', taken = taken - 'payouts'`,
    );
    expect((await exported()).faults).toEqual([]);
  });

  test('as deltas has just what the receiver has not taken, each from where the last one that it took ended', async () => {
    configure({ OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: 'DELTA' });
    const first = (await exported()).received;
    await attempt();
    receiver.answer = (response) => void response.writeHead(500).end();
    const refused = await exported();
    expect(refused.faults).toHaveLength(1);
    receiver.answer = (response) => void response.end();
    const { received } = await exported();
    expect(attempts(received)).toEqual({ delivered: 240, retried: 30, given_up: 30 });
    expect(sumOf(received, 'tranche_events').aggregationTemporality).toBe('AGGREGATION_TEMPORALITY_DELTA');
    expect(spanOf(received)[0]).toBe(spanOf(first)[1]);
    const next = (await exported()).received;
    expect(attempts(next)).toEqual({ delivered: 0, retried: 0, given_up: 0 });
    expect(spanOf(next)[0]).toBe(spanOf(received)[1]);
  });

  test('begins anew when nobody went on with the counts for a day', async () => {
    const before = (await exported()).received;
    await attempt();
    await world.database.db.execute(sql`update metric_counts set counted_at = now() - interval '25 hours'`);
    const { received } = await exported();
    expect(attempts(received)).toEqual({ delivered: 0, retried: 0, given_up: 0 });
    expect(Number(spanOf(received)[0])).toBeGreaterThan(Number(spanOf(before)[0]));
  });

  test.each([
    ['does not answer', () => undefined],
    [
      'answers byte by byte',
      (response) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write('.'), 100).unref();
        response.on('close', () => clearInterval(timer));
      },
    ],
    ['refuses the key', (response) => void response.writeHead(401).end(`${API_KEY} is not a key`)],
  ] satisfies [string, OtlpReceiver['answer']][])(
    'ends in time with a receiver that %s, and says so without a secret',
    async (_, answer) => {
      receiver.answer = answer;
      const startedAtMs = performance.now();
      const { faults } = await exported();
      expect(performance.now() - startedAtMs).toBeLessThan(5_000);
      expect(faults).toEqual([expect.stringMatching(/^metrics-export: /)]);
      const [run] = await world.database.db.select().from(jobRuns);
      expect(run?.lastFault).toBe(faults[0]);
      expect(faults[0]).not.toContain(API_KEY);
    },
  );

  test('ends with a receiver that is not there', async () => {
    receiver.close();
    expect((await exported()).faults).toEqual([expect.stringMatching(/^metrics-export: ./)]);
  });

  test('does nothing without a receiver', async () => {
    vi.unstubAllEnvs();
    configure({});
    expect(await exported()).toEqual({ faults: [], received: undefined });
    expect(await world.database.db.$count(metricCounts)).toBe(0);
  });
});
