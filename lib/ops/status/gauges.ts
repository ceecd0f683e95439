import { CAUSE_NAMES, STATUSES } from './causes.ts';
import type { SystemStatus } from './contracts.ts';

interface Sample {
  labels: Record<string, string>;
  value: number;
}

/** One gauge: base units in its name, and what there is of it now. */
export interface GaugeMetric {
  name: string;
  help: string;
  samples: readonly Sample[];
}

const flag = (is: boolean | null): number | null => (is === null ? null : Number(is));
const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1000);
const timestampSeconds = (time: string | null): number | null => (time === null ? null : Date.parse(time) / 1000);

/** A single figure; what is not known has no sample. */
const figure = (name: string, help: string, value: number | null | undefined): GaugeMetric => ({
  name,
  help,
  samples: value === null || value === undefined ? [] : [{ labels: {}, value }],
});

/** Figures of rows that are told apart by one label. */
const labelled =
  <Row>(label: string, rows: readonly Row[] | undefined, nameOf: (row: Row) => string | number) =>
  (name: string, help: string, read: (row: Row) => number | null): GaugeMetric => ({
    name,
    help,
    samples: (rows ?? []).flatMap((row) => {
      const value = read(row);
      return value === null ? [] : [{ labels: { [label]: String(nameOf(row)) }, value }];
    }),
  });

/** What is deployed and how it is, all in all. */
function wholeMetrics({ status, causes, version, commit, network, time, maintenance }: SystemStatus): GaugeMetric[] {
  const perStatus = labelled('status', STATUSES, (one) => one);
  const perCause = labelled('cause', CAUSE_NAMES, (cause) => cause);
  return [
    {
      name: 'build_info',
      help: 'What is deployed, and for which network.',
      samples: [{ labels: { version, commit: commit ?? '', network }, value: 1 }],
    },
    perStatus('status', 'Overall status: 1 for the one in force.', (one) => flag(one === status)),
    perCause('cause_active', 'Why the platform is not operational: 1 for what is so now.', (cause) =>
      flag(causes.includes(cause)),
    ),
    figure('reading_timestamp_seconds', 'When these figures were read.', timestampSeconds(time)),
    figure('maintenance_open', 'Whether a maintenance is announced.', flag(maintenance !== null)),
  ];
}

/** How the parts below answer, and how far the ledger is. */
function partMetrics({ checks, ledger }: SystemStatus): GaugeMetric[] {
  const perPart = labelled('part', Object.entries(checks), ([part]) => part);
  const perServer = labelled('server', ledger.servers, ({ server }) => server);
  return [
    perPart('part_up', 'Whether a part answers.', ([, { status }]) => flag(status === 'up')),
    perPart('part_latency_seconds', 'How long a part took to answer, or was waited for.', ([, one]) =>
      seconds(one.latency_ms),
    ),
    figure('ledger_validated_index', 'Newest validated ledger.', ledger.validated_index),
    figure('ledger_age_seconds', 'Since the newest validated ledger closed.', ledger.age_seconds),
    figure('ledger_processed_index', 'Every payment up to this ledger is recorded.', ledger.processed_index),
    figure('ledger_lag_ledgers', 'Ledgers validated and not yet processed.', ledger.lag),
    perServer('ledger_server_up', 'Whether a ledger server answers.', ({ status }) => flag(status === 'up')),
    perServer('ledger_server_behind_ledgers', 'How far a ledger server is behind the newest.', ({ behind }) => behind),
    perServer('ledger_server_agrees', 'Whether a ledger server shows the same chain as the first.', ({ agrees }) =>
      flag(agrees),
    ),
  ];
}

/** What webhooks wait for, and how their deliveries went. */
function deliveryMetrics(metrics: SystemStatus['metrics']): GaugeMetric[] {
  const queues = metrics?.deliveries;
  const day = metrics?.deliveries_24h;
  const perOutcome = labelled('outcome', day && (['delivered', 'given_up'] as const), (outcome) => outcome);
  const percentiles =
    day &&
    ([
      [50, day.latency_ms.p50],
      [95, day.latency_ms.p95],
    ] as const);
  const perPercentile = labelled('percentile', percentiles, ([percentile]) => percentile);
  const oldestWaiting = queues?.waiting_oldest_seconds;
  const oldestRetry = queues?.retries_due_oldest_seconds;
  const taken = 'Of the deliveries that ended within 24 hours, those that were taken.';
  const latency = 'From the making of a delivery to the receiver taking it, over 24 hours.';
  return [
    figure('deliveries_waiting', 'First attempts that wait, counted up to 10,000.', queues?.waiting),
    figure('deliveries_waiting_oldest_seconds', 'Age of the oldest first attempt that waits.', oldestWaiting),
    figure('deliveries_retries_due', 'Retries whose time has come, counted up to 10,000.', queues?.retries_due),
    figure('deliveries_retries_due_oldest_seconds', 'How late the latest retry is.', oldestRetry),
    perOutcome('deliveries_day', 'Deliveries that ended within 24 hours, by outcome.', (name) => day?.[name] ?? null),
    figure('delivery_failed_attempts_day', 'Attempts that failed within 24 hours.', day?.failed_attempts),
    figure('delivery_success_ratio', taken, day?.success_rate),
    perPercentile('delivery_latency_seconds', latency, ([, ms]) => seconds(ms)),
  ];
}

/** What is owed, what is held, and what should run by itself. */
function workMetrics(metrics: SystemStatus['metrics']): GaugeMetric[] {
  const { payouts, held_payments: heldPayments, jobs } = metrics ?? {};
  const perStatus = labelled('status', payouts, ({ status }) => status);
  // Not `job`: Prometheus gives that label to every series itself.
  const perJob = labelled('job_name', jobs, ({ name }) => name);
  const started = 'When a job began last.';
  const finished = 'When a job ended last.';
  return [
    perStatus('payouts_open', 'Payouts that are not done with, counted up to 10,000.', ({ count }) => count),
    perStatus('payouts_oldest_seconds', 'Since the oldest of them was due.', (one) => one.oldest_seconds),
    figure('payments_held', 'Payments that are held, counted up to 10,000.', heldPayments?.count),
    figure('payments_held_oldest_seconds', 'Age of the oldest of them.', heldPayments?.oldest_seconds),
    perJob('job_last_start_timestamp_seconds', started, (job) => timestampSeconds(job.last_started_at)),
    perJob('job_last_finish_timestamp_seconds', finished, (job) => timestampSeconds(job.last_finished_at)),
    perJob('job_late', 'Whether a job has not begun when it was due.', ({ late }) => flag(late)),
  ];
}

/** What must always hold. */
function invariantMetrics({ invariants: { balances, ...counts } }: SystemStatus): GaugeMetric[] {
  const perFinding = labelled('finding', Object.entries(counts), ([finding]) => finding);
  const differing = balances.status === 'unknown' ? null : balances.accounts.length;
  return [
    figure('accounts_with_difference', 'Deposit accounts whose balance the records do not explain.', differing),
    perFinding('invariant_findings', 'Findings that must be 0, foreign_transactions apart.', ([, count]) => count),
  ];
}

/** Every figure of a status as gauges, without their prefix. Pure. */
export const gaugesOf = (status: SystemStatus): GaugeMetric[] => [
  ...wholeMetrics(status),
  ...partMetrics(status),
  ...deliveryMetrics(status.metrics),
  ...workMetrics(status.metrics),
  ...invariantMetrics(status),
];

/** Begins the name of every metric. */
export const PREFIX = 'tranche_';
