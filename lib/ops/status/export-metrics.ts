import type { MetricData, ResourceMetrics } from '@opentelemetry/sdk-metrics';
import { sql } from 'drizzle-orm';
import { events } from '#drizzle/schema/events.ts';
import { deliveryMinutes, type MetricCounts, metricCounts } from '#drizzle/schema/health.ts';
import { payoutCounts } from '#drizzle/schema/payouts.ts';
import type { Db } from '#lib/base/db.ts';
import { env } from '#lib/base/env.ts';
import type { Ctx } from '#lib/ctx.ts';
import { EVENT_TYPES } from '#lib/events/catalogue.ts';
import type { SystemStatus } from './contracts.ts';
import { LATENCY_BOUNDS_MS } from './delivery-minutes.ts';
import { gaugesOf, PREFIX } from './gauges.ts';
import { getStatus, networkName } from './get-status.ts';
import { platformVersion } from './version.ts';

/** The only row of its table. */
const NAME = 'otlp';
/** Counts that nobody went on with for so long lack minutes that are pruned: they begin anew. */
const FORGOTTEN_AFTER_HOURS = 24;
/** After a pause, each run makes up for so many events. */
const MOST_EVENTS = 100_000;
/** A receiver that takes longer gets the same counts, and more, a minute later. */
const TIMEOUT_MS = 1_000;

const NOTHING: MetricCounts = { attempts: {}, latencies: {}, events: {}, payouts: {} };

const PAYOUT_KINDS = ['distribution', 'refund', 'release', 'lock', 'unlock'] as const;

/** Counts as they stand, and what the receiver has of them. */
interface Counted {
  since: Date;
  countedAt: Date;
  counts: MetricCounts;
  taken: MetricCounts;
  takenAt: Date;
}

interface Added extends Record<string, unknown> {
  now: string;
  minutesBefore: string;
  minutes: { outcome: string; belowMs: number; attempts: number }[];
  events: { type: string; count: number; through: number }[];
  payouts: MetricCounts['payouts'];
}

/** Comes to MetricCounts['payouts'], of all that were ever counted. */
const payoutSums = sql`(select coalesce(json_object_agg(key, count), '{}') from (
  select trim(concat_ws(' ', outcome, kind, reason)) as key, sum(count) as count from ${payoutCounts} group by 1) p)`;

function add(counts: Record<string, number>, key: string | number, count: number): void {
  counts[key] = (counts[key] ?? 0) + count;
}

/**
 * Adds to the counts what has happened since they were written last. Both sources have an order in which nothing comes in
 * later: the counted minutes, and the list of events. So each attempt and event is counted once, in whatever process.
 */
async function count(db: Db): Promise<Counted> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`
      insert into ${metricCounts} as c
        (name, since, counted_at, minutes_before, listed_through, payouts_read, counts, taken, taken_at)
      values (${NAME}, now(), now(),
        coalesce((select max(minute) + interval '1 minute' from ${deliveryMinutes}), 'epoch'),
        coalesce((select max(list_position) from ${events}), 0), ${payoutSums}, ${JSON.stringify(NOTHING)}, ${JSON.stringify(NOTHING)}, now())
      on conflict (name) do update set since = excluded.since, counted_at = excluded.counted_at,
        minutes_before = excluded.minutes_before, listed_through = excluded.listed_through,
        payouts_read = excluded.payouts_read, counts = excluded.counts, taken = excluded.taken, taken_at = excluded.taken_at
      where c.counted_at < now() - make_interval(hours => ${FORGOTTEN_AFTER_HOURS}::integer)`);
    const [row] = await tx.select().from(metricCounts).for('update');
    if (row === undefined) throw new Error('The counts of the metrics came without a row');
    const { rows } = await tx.execute<Added>(sql`
      with counted as (select * from ${deliveryMinutes} where minute >= ${row.minutesBefore.toISOString()}::timestamptz),
      listed as (
        select type, list_position from ${events}
        where list_position > ${row.listedThrough}::bigint order by list_position limit ${MOST_EVENTS}::integer
      )
      select now() as now,
        coalesce((select max(minute) + interval '1 minute' from counted), ${row.minutesBefore.toISOString()}::timestamptz) as "minutesBefore",
        (select coalesce(json_agg(m), '[]') from (select outcome, below_ms as "belowMs", sum(attempts) as attempts
          from counted group by outcome, below_ms) m) as minutes,
        (select coalesce(json_agg(e), '[]') from (select type, count(*) as count, max(list_position) as through
          from listed group by type) e) as events,
        ${payoutSums} as payouts`);
    const [added] = rows;
    if (added === undefined) throw new Error('The counts of the metrics came without a row');
    const counts = structuredClone({ ...NOTHING, ...row.counts });
    for (const { outcome, belowMs, attempts } of added.minutes) {
      add(counts.attempts, outcome, attempts);
      if (outcome === 'delivered' && belowMs > 0) add(counts.latencies, belowMs, attempts);
    }
    for (const { type, count: more } of added.events) add(counts.events, type, more);
    for (const [key, sum] of Object.entries(added.payouts)) add(counts.payouts, key, sum - (row.payoutsRead[key] ?? 0));
    const countedAt = new Date(added.now);
    await tx.update(metricCounts).set({
      counts,
      countedAt,
      payoutsRead: added.payouts,
      minutesBefore: new Date(added.minutesBefore),
      listedThrough: Math.max(row.listedThrough, ...added.events.map(({ through }) => through)),
    });
    return { ...row, counts, taken: { ...NOTHING, ...row.taken }, countedAt };
  });
}

/** What one export has of the counters. */
interface Interval {
  isDelta: boolean;
  from: Date;
  to: Date;
  /** Of the series that were ever counted. */
  keysOf(metric: keyof MetricCounts): string[];
  /** Of a series by its metric and key. */
  valueOf(metric: keyof MetricCounts, key: string | number): number;
}

function intervalOf({ since, countedAt, counts, taken, takenAt }: Counted): Interval {
  const isDelta = env().OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE !== 'cumulative';
  return {
    isDelta,
    from: isDelta ? takenAt : since,
    to: countedAt,
    keysOf: (metric) => Object.keys(counts[metric]),
    valueOf: (metric, key) => (counts[metric][key] ?? 0) - (isDelta ? (taken[metric][key] ?? 0) : 0),
  };
}

const hrTime = (time: Date): [number, number] => [
  Math.floor(time.getTime() / 1_000),
  (time.getTime() % 1_000) * 1_000_000,
];

const described = (name: string, description: string, unit = '') => ({
  name: `${PREFIX}${name}`,
  description,
  unit,
  // ValueType.DOUBLE: whole numbers are doubles too.
  valueType: 1,
});

/** Of a key of `payouts`: a signed one has no outcome yet, and what paid no reason. */
function payoutAttributes(key: string): Record<string, string> {
  const [outcome = '', kind = '', reason] = key.split(' ');
  return { kind, ...(outcome === 'signed' ? {} : { outcome }), ...(reason === undefined ? {} : { reason }) };
}

/** The metrics in the SDK's own terms, which it sends as they are: no process counts anything by itself. */
async function toSdk(status: SystemStatus, interval: Interval): Promise<ResourceMetrics> {
  const [{ AggregationTemporality, DataPointType }, { detectResources, envDetector, resourceFromAttributes }] =
    await Promise.all([import('@opentelemetry/sdk-metrics'), import('@opentelemetry/resources')]);
  const aggregationTemporality = interval.isDelta ? AggregationTemporality.DELTA : AggregationTemporality.CUMULATIVE;
  // All of one time, by the database: a receiver may refuse what is earlier than it has, and a status may be some seconds old.
  const times = { startTime: hrTime(interval.from), endTime: hrTime(interval.to) };

  const gauges = gaugesOf(status).flatMap(({ name, help, samples }): MetricData[] => {
    const dataPoints = samples.map(({ labels, value }) => ({
      startTime: times.endTime,
      endTime: times.endTime,
      attributes: labels,
      value,
    }));
    if (dataPoints.length === 0) return [];
    return [
      {
        descriptor: described(name, help),
        dataPointType: DataPointType.GAUGE,
        aggregationTemporality: AggregationTemporality.CUMULATIVE,
        dataPoints,
      },
    ];
  });
  const counter = (
    descriptor: MetricData['descriptor'],
    metric: keyof MetricCounts,
    keys: readonly string[],
    attributesOf: (key: string) => Record<string, string>,
  ): MetricData => ({
    descriptor,
    dataPointType: DataPointType.SUM,
    aggregationTemporality,
    isMonotonic: true,
    dataPoints: keys.map((key) => ({ ...times, attributes: attributesOf(key), value: interval.valueOf(metric, key) })),
  });
  const buckets = LATENCY_BOUNDS_MS.map((belowMs) => interval.valueOf('latencies', belowMs));
  const latency: MetricData = {
    descriptor: described('delivery_duration_seconds', 'From the making of a delivery to the receiver taking it.', 's'),
    dataPointType: DataPointType.HISTOGRAM,
    aggregationTemporality,
    dataPoints: [
      {
        ...times,
        attributes: {},
        value: {
          // The last one has what took longer than any bound: the minutes count that below the last bound.
          buckets: { boundaries: LATENCY_BOUNDS_MS.map((ms) => ms / 1_000), counts: [...buckets, 0] },
          count: buckets.reduce((sum, one) => sum + one, 0),
        },
      },
    ],
  };
  const { OTEL_SERVICE_NAME, XRPL_NETWORK_ID } = env();
  const resource = resourceFromAttributes({
    'service.version': platformVersion(),
    'tranche.network': networkName(XRPL_NETWORK_ID),
  })
    .merge(detectResources({ detectors: [envDetector] }))
    .merge(resourceFromAttributes({ 'service.name': OTEL_SERVICE_NAME }));
  const attempts = described('delivery_attempts', 'Webhook attempts that have ended, by outcome.');
  const listed = described('events', 'Events in the list of events, by type.');
  const signed = described('payout_attempts_signed', 'Payout transactions that were signed, by kind of payout.');
  const ended = described(
    'payout_attempts_ended',
    'Payout transactions whose outcome is final, by kind, outcome and reason.',
  );
  // Those of every sale begin at 0; what else can be counted stands here once it was.
  const ofEachKind = (outcome: string) => PAYOUT_KINDS.map((kind) => `${outcome} ${kind}`);
  const endedKeys = interval.keysOf('payouts').filter((key) => !key.startsWith('signed '));
  return {
    resource,
    scopeMetrics: [
      {
        scope: { name: 'tranche', version: platformVersion() },
        metrics: [
          ...gauges,
          counter(attempts, 'attempts', ['delivered', 'retried', 'given_up'], (outcome) => ({ outcome })),
          latency,
          counter(listed, 'events', EVENT_TYPES, (type) => ({ type })),
          counter(signed, 'payouts', ofEachKind('signed'), payoutAttributes),
          counter(ended, 'payouts', [...new Set([...ofEachKind('validated'), ...endedKeys])], payoutAttributes),
        ],
      },
    ],
  };
}

/** What an export failed for, without the words of an answer: a receiver may quote what it was sent. */
const reasonOf = (error: Error): string =>
  'code' in error && typeof error.code === 'number' ? `it answered ${error.code}` : error.message;

/** Hands the metrics to the receiver. Throws when it has not taken them in time. */
async function send(metrics: ResourceMetrics): Promise<void> {
  const { OTLPMetricExporter } = await import('@opentelemetry/exporter-metrics-otlp-proto');
  const exporter = new OTLPMetricExporter({ timeoutMillis: TIMEOUT_MS, httpAgentOptions: { keepAlive: false } });
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      // Its own time-out begins again with each byte of an answer.
      timer = setTimeout(() => reject(new Error(`it did not answer within ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
      exporter.export(metrics, ({ code, error }) =>
        code === 0 ? resolve() : reject(error ?? new Error('it failed without a reason')),
      );
    });
  } finally {
    clearTimeout(timer);
    void exporter.shutdown().catch(() => undefined);
  }
}

/** Whether metrics are to go out. The SDK is loaded only then. */
const isConfigured = (): boolean =>
  (env().OTEL_EXPORTER_OTLP_METRICS_ENDPOINT ?? env().OTEL_EXPORTER_OTLP_ENDPOINT) !== undefined;

/**
 * Sends the status as gauges, and what was counted in the database as counters, to the OTLP receiver of the settings. Gives
 * why it did not take them, or null. For one caller at a time.
 */
export async function exportMetrics(ctx: Ctx): Promise<string | null> {
  if (!isConfigured()) return null;
  const [status, counted] = await Promise.all([getStatus(ctx), count(ctx.db)]);
  const metrics = await toSdk(status, intervalOf(counted));
  try {
    await send(metrics);
  } catch (err) {
    return reasonOf(err as Error);
  }
  // Taken and not noted, a delta is sent again: better twice than never.
  await ctx.db.update(metricCounts).set({ taken: counted.counts, takenAt: counted.countedAt });
  return null;
}
