import { Gauge, Registry } from 'prom-client';
import type { Ctx } from '#lib/ctx.ts';
import { CAUSE_NAMES, STATUSES } from './causes.ts';
import type { SystemStatus } from './contracts.ts';
import { getStatus } from './get-status.ts';

interface Sample {
  labels: Record<string, string>;
  value: number;
}

/** One gauge: base units in its name, and what there is of it now. */
interface Metric {
  name: string;
  help: string;
  samples: readonly Sample[];
}

const flag = (is: boolean): number => (is ? 1 : 0);
const timestampSeconds = (time: string): number => Date.parse(time) / 1000;

/** A single figure; what is not known has no sample. */
const figure = (name: string, help: string, value: number | null | undefined): Metric => ({
  name,
  help,
  samples: value === null || value === undefined ? [] : [{ labels: {}, value }],
});

/** A figure for each row, named by one label. */
const byLabel = <Row>(
  name: string,
  help: string,
  label: string,
  rows: readonly Row[] | undefined,
  read: (row: Row) => [name: string | number, value: number | null],
): Metric => ({
  name,
  help,
  samples: (rows ?? []).flatMap((row) => {
    const [of, value] = read(row);
    return value === null ? [] : [{ labels: { [label]: String(of) }, value }];
  }),
});

/** What is deployed and how it is, all in all. */
function wholeMetrics({ status, causes, version, commit, network, time, maintenance }: SystemStatus): Metric[] {
  return [
    {
      name: 'build_info',
      help: 'What is deployed, and for which network.',
      samples: [{ labels: { version, commit: commit ?? '', network }, value: 1 }],
    },
    byLabel('status', 'Overall status: 1 for the one in force.', 'status', STATUSES, (one) => [
      one,
      flag(one === status),
    ]),
    byLabel(
      'cause_active',
      'Why the platform is not operational: 1 for what is so now.',
      'cause',
      CAUSE_NAMES,
      (cause) => [cause, flag(causes.includes(cause))],
    ),
    figure('reading_timestamp_seconds', 'When these figures were read.', timestampSeconds(time)),
    figure('maintenance_open', 'Whether a maintenance is announced.', flag(maintenance !== null)),
  ];
}

/** What must always hold. */
function invariantMetrics({ invariants: { balances, ...counts } }: SystemStatus): Metric[] {
  return [
    figure(
      'books_differing_accounts',
      'Deposit accounts whose balance the books do not explain.',
      balances.status === 'unknown' ? null : balances.accounts.length,
    ),
    byLabel(
      'books_findings',
      'Findings that must be 0, foreign_transactions apart.',
      'finding',
      Object.entries(counts),
      ([finding, count]) => [finding, count],
    ),
  ];
}

/** How the parts below answer, and how far the ledger is. */
function partMetrics({ checks, ledger }: SystemStatus): Metric[] {
  const parts = Object.entries(checks);
  return [
    byLabel('part_up', 'Whether a part answers.', 'part', parts, ([part, { status }]) => [part, flag(status === 'up')]),
    byLabel(
      'part_latency_seconds',
      'How long a part took to answer, or was waited for.',
      'part',
      parts,
      ([part, one]) => [part, one.latency_ms / 1000],
    ),
    figure('ledger_validated_index', 'Newest validated ledger.', ledger.validated_index),
    figure('ledger_age_seconds', 'Since the newest validated ledger closed.', ledger.age_seconds),
    figure('ledger_processed_index', 'Every payment up to this ledger is recorded.', ledger.processed_index),
    figure('ledger_lag_ledgers', 'Ledgers validated and not yet processed.', ledger.lag),
    byLabel('ledger_server_up', 'Whether a ledger server answers.', 'server', ledger.servers, ({ server, status }) => [
      server,
      flag(status === 'up'),
    ]),
    byLabel(
      'ledger_server_behind_ledgers',
      'How far a ledger server is behind the newest.',
      'server',
      ledger.servers,
      (one) => [one.server, one.behind],
    ),
    byLabel(
      'ledger_server_agrees',
      'Whether a ledger server shows the same chain as the first.',
      'server',
      ledger.servers,
      (one) => [one.server, one.agrees === null ? null : flag(one.agrees)],
    ),
  ];
}

/** What webhooks wait for, and how their deliveries went. */
function deliveryMetrics(metrics: SystemStatus['metrics']): Metric[] {
  const queues = metrics?.deliveries;
  const day = metrics?.deliveries_24h;
  return [
    figure('deliveries_waiting', 'First attempts that wait, counted up to 10,000.', queues?.waiting),
    figure(
      'deliveries_waiting_oldest_seconds',
      'Age of the oldest first attempt that waits.',
      queues?.waiting_oldest_seconds,
    ),
    figure('deliveries_retries_due', 'Retries whose time has come, counted up to 10,000.', queues?.retries_due),
    figure(
      'deliveries_retries_due_oldest_seconds',
      'How late the latest retry is.',
      queues?.retries_due_oldest_seconds,
    ),
    byLabel(
      'deliveries_day',
      'Deliveries that ended within 24 hours, by outcome.',
      'outcome',
      day && (['delivered', 'given_up'] as const),
      (outcome) => [outcome, day?.[outcome] ?? null],
    ),
    figure('delivery_failed_attempts_day', 'Attempts that failed within 24 hours.', day?.failed_attempts),
    figure(
      'delivery_success_ratio',
      'Of the deliveries that ended within 24 hours, those that were taken.',
      day?.success_ratio,
    ),
    byLabel(
      'delivery_latency_seconds',
      'From the making of a delivery to the receiver taking it, over 24 hours.',
      'percentile',
      day &&
        ([
          [50, day.latency_ms.p50],
          [95, day.latency_ms.p95],
        ] as const),
      ([percentile, ms]) => [percentile, ms === null ? null : ms / 1000],
    ),
  ];
}

/** What is owed, what is held, and what should run by itself. */
function workMetrics(metrics: SystemStatus['metrics']): Metric[] {
  const { payouts, held_payments: heldPayments, jobs } = metrics ?? {};
  const timeOf = (time: string | null) => (time === null ? null : timestampSeconds(time));
  return [
    byLabel(
      'payouts_open',
      'Payouts that are not done with, counted up to 10,000.',
      'status',
      payouts,
      ({ status, count }) => [status, count],
    ),
    byLabel('payouts_oldest_seconds', 'Since the oldest of them was due.', 'status', payouts, (one) => [
      one.status,
      one.oldest_seconds,
    ]),
    figure('payments_held', 'Payments that are held, counted up to 10,000.', heldPayments?.count),
    figure('payments_held_oldest_seconds', 'Age of the oldest of them.', heldPayments?.oldest_seconds),
    byLabel('job_last_start_timestamp_seconds', 'When a job began last.', 'job', jobs, (job) => [
      job.name,
      timeOf(job.last_started_at),
    ]),
    byLabel('job_last_finish_timestamp_seconds', 'When a job ended last.', 'job', jobs, (job) => [
      job.name,
      timeOf(job.last_finished_at),
    ]),
    byLabel('job_late', 'Whether a job has not begun when it was due.', 'job', jobs, ({ name, late }) => [
      name,
      late === null ? null : flag(late),
    ]),
  ];
}

/** Every figure of a status as gauges, without their prefix. Pure. */
const metricsOf = (status: SystemStatus): Metric[] => [
  ...wholeMetrics(status),
  ...partMetrics(status),
  ...deliveryMetrics(status.metrics),
  ...workMetrics(status.metrics),
  ...invariantMetrics(status),
];

const PREFIX = 'tranche_';

/** A status as Prometheus text. A registry a call: what is gone since the last one must not be told again. */
async function toPrometheus(status: SystemStatus): Promise<string> {
  const registry = new Registry();
  for (const { name, help, samples } of metricsOf(status)) {
    const [first] = samples;
    if (first === undefined) continue;
    const gauge = new Gauge({
      name: `${PREFIX}${name}`,
      help,
      labelNames: Object.keys(first.labels),
      registers: [registry],
    });
    for (const { labels, value } of samples) gauge.set(labels, value);
  }
  return registry.metrics();
}

/** The figures of the system status, at most three seconds old, as Prometheus text. Answers also while parts are away. */
export const getMetrics = async (ctx: Ctx): Promise<string> => toPrometheus(await getStatus(ctx));
