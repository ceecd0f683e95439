import { type SQL, sql } from 'drizzle-orm';
import { deliveries } from '#drizzle/schema/events.ts';
import { deliveryMinutes } from '#drizzle/schema/health.ts';
import { jobRuns, maintenances } from '#drizzle/schema/jobs.ts';
import { payouts, unknownTransfers } from '#drizzle/schema/payouts.ts';
import { accountChanges, depositAccounts, payments } from '#drizzle/schema/sale.ts';
import { textArray } from '#lib/base/bulk.ts';
import { toIso } from '#lib/base/clock.ts';
import type { Db } from '#lib/base/db.ts';
import { formatDrops } from '#lib/base/money.ts';
import { checkSigningKeys } from '#lib/xrpl/keys.ts';
import { OPEN_PAYOUT_STATES, type SystemMetrics, type SystemStatus } from './contracts.ts';
import { percentileMs } from './delivery-minutes.ts';
import { isLate, KNOWN_JOBS } from './schedule/known-jobs.ts';

type Invariants = SystemStatus['invariants'];

/** A comparison this many ledgers behind the cursor, about a quarter of an hour, says nothing of today. */
const STALE_AFTER_LEDGERS = 256;

/** What is shown while the database does not answer. */
export const UNKNOWN_INVARIANTS: Invariants = {
  balances: { status: 'unknown', accounts: [] },
  unknown_withdrawals: null,
  unknown_transfers: null,
  foreign_transactions: null,
  late_discoveries: null,
  halted_accounts: null,
  unfit_signing_keys: null,
};

/** A deposit account as the records have it; drops as text. */
interface ReconciledAccount {
  account: string;
  differenceDrops: string;
  cursorLedger: number;
  reconciledLedger: number | null;
  halted: boolean;
}

/** Comes to ReconciledAccount[], by address. */
const reconciledAccounts: SQL = sql`(select coalesce(json_agg(json_build_object(
    'account', address, 'differenceDrops', difference_drops::text, 'cursorLedger', cursor_ledger,
    'reconciledLedger', reconciled_ledger, 'halted', halted) order by address), '[]')
  from ${depositAccounts})`;

interface ForeignChanges {
  transactions: number;
  withdrawals: number;
}

/** Comes to ForeignChanges, out of a partial index. */
export const foreignChanges: SQL = sql`(select json_build_object('transactions', count(*),
    'withdrawals', count(*) filter (where change_drops + fee_drops < 0))
  from ${accountChanges} where not ours)`;

/** Comes to a number, out of a partial index. What may yet settle a payout by hand is no finding. */
const unknownTransferCount: SQL = sql`(select count(*)::integer from ${unknownTransfers}
  where not explained and payout_id is null)`;

/** Comes to a number, out of a partial index. */
export const lateDiscoveries: SQL = sql`(select count(*)::integer from ${payments}
  where held_drops > 0 and reason = 'late_discovery')`;

/** Whether the records explain the balances of these accounts. Pure. */
function judgeBalances(rows: readonly ReconciledAccount[]): Invariants['balances'] {
  const accounts = rows.flatMap(({ account, differenceDrops, reconciledLedger }) =>
    differenceDrops === '0' || reconciledLedger === null
      ? []
      : [{ account, difference_xrp: formatDrops(BigInt(differenceDrops)), ledger_index: reconciledLedger }],
  );
  if (accounts.length > 0) return { status: 'violated', accounts };
  // A halted account reads nothing, by an operator's own will.
  const isStale = rows.some(
    ({ halted, cursorLedger, reconciledLedger }) =>
      !halted && (reconciledLedger === null || cursorLedger - reconciledLedger > STALE_AFTER_LEDGERS),
  );
  return { status: isStale ? 'unknown' : 'ok', accounts };
}

/** True when something was found that must not be. What is not known violates nothing. */
export const isViolated = (invariants: Invariants): boolean =>
  invariants.balances.status === 'violated' ||
  (invariants.unknown_withdrawals ?? 0) > 0 ||
  (invariants.unknown_transfers ?? 0) > 0 ||
  (invariants.late_discoveries ?? 0) > 0 ||
  (invariants.halted_accounts ?? 0) > 0 ||
  (invariants.unfit_signing_keys ?? 0) > 0;

/** The open maintenance as the public is told of it; times as the database writes them. */
interface Announcement {
  message: string;
  startedAt: string;
  expectedEndAt: string | null;
}

/** Comes to an Announcement; null when there is none. */
const openMaintenance: SQL = sql`(select json_build_object(
    'message', message, 'startedAt', started_at, 'expectedEndAt', expected_end_at)
  from ${maintenances} where ended_at is null)`;

interface OutcomeCount {
  outcome: (typeof deliveryMinutes.$inferSelect)['outcome'];
  belowMs: number;
  count: number;
}

/** Comes to OutcomeCount[] over the last 24 hours, out of the counted minutes. */
export const outcomesOfDay: SQL = sql`(select coalesce(json_agg(day), '[]') from (
  select outcome, below_ms as "belowMs", sum(attempts) as count from ${deliveryMinutes}
  where minute > now() - interval '24 hours' group by outcome, below_ms) day)`;

/** The figures of a day from its counts. Pure. */
export function deliveriesOfDay(counts: readonly OutcomeCount[]): SystemMetrics['deliveries_24h'] {
  const totalOf = (wanted: OutcomeCount['outcome']) =>
    counts.reduce((sum, { outcome, count }) => (outcome === wanted ? sum + count : sum), 0);
  const delivered = totalOf('delivered');
  const givenUp = totalOf('given_up');
  const ended = delivered + givenUp;
  const latencies = counts.filter(({ outcome }) => outcome === 'delivered');
  return {
    delivered,
    given_up: givenUp,
    failed_attempts: totalOf('retried') + givenUp,
    // Rounded down: a single failure is never rounded away.
    success_rate: ended === 0 ? null : Math.floor((delivered / ended) * 10_000) / 10_000,
    latency_ms: { p50: percentileMs(latencies, 0.5), p95: percentileMs(latencies, 0.95) },
  };
}

interface JobRun {
  name: string;
  startedAt: string | null;
  finishedAt: string | null;
  startedAgoSeconds: number | null;
}

/** Comes to JobRun[], of the known jobs that have a row. */
const runsOfJobs: SQL = sql`(select coalesce(json_agg(json_build_object(
    'name', name, 'startedAt', started_at, 'finishedAt', finished_at,
    'startedAgoSeconds', extract(epoch from now() - started_at)::float8)), '[]')
  from ${jobRuns} where name = any(${textArray(KNOWN_JOBS.map(({ name }) => name))}))`;

const isoOrNull = (time: string | null | undefined): string | null =>
  time === null || time === undefined ? null : new Date(time).toISOString();

/** Every known job, run or not, in their order. Pure. */
function toJobs(runs: readonly JobRun[]): SystemMetrics['jobs'] {
  const byName = new Map(runs.map((run) => [run.name, run]));
  return KNOWN_JOBS.map(({ name, everySeconds }) => {
    const run = byName.get(name);
    return {
      name,
      last_started_at: isoOrNull(run?.startedAt),
      last_finished_at: isoOrNull(run?.finishedAt),
      late: isLate(everySeconds, run?.startedAgoSeconds ?? null),
    };
  });
}

/** Beyond this a queue is long, and how long is no news: counting must not cost more the longer it gets. */
const COUNTED_UP_TO = 10_000;

const ageSeconds = (time: SQL): SQL => sql`greatest(extract(epoch from now() - ${time})::float8, 0)`;
const counted = (rows: SQL): SQL => sql`(select count(*) from (${rows} limit ${COUNTED_UP_TO}::integer) as found)`;

/** Expressions that come to JSON of these types. Each walks an index, and no further than the count goes. */
interface QueueMetrics {
  deliveries: SystemMetrics['deliveries'];
  payouts: SystemMetrics['payouts'];
  held_payments: SystemMetrics['held_payments'];
}

export const deliveryQueues: SQL = sql`json_build_object(
  'waiting', ${counted(sql`select from ${deliveries} where status = 'pending'`)},
  'waiting_oldest_seconds', (select ${ageSeconds(sql`due_at`)} from ${deliveries}
    where status in ('pending', 'retrying') and due_at <= now() and status = 'pending' order by due_at limit 1),
  'retries_due', ${counted(sql`select from ${deliveries} where status = 'retrying' and due_at <= now()`)},
  'retries_due_oldest_seconds', (select ${ageSeconds(sql`due_at`)} from ${deliveries}
    where status = 'retrying' and due_at <= now() order by due_at limit 1))`;

/** One row a state, in their order; the partial index on (status, due_at) holds what is open only. */
const IS_OPEN = sql`p.status not in ('validated', 'cancelled')`;
export const payoutStates: SQL = sql`(select json_agg(json_build_object(
    'status', state.name,
    'count', ${counted(sql`select from ${payouts} p where ${IS_OPEN} and p.status = state.name`)},
    'oldest_seconds', (select ${ageSeconds(sql`p.due_at`)} from ${payouts} p
      where ${IS_OPEN} and p.status = state.name order by p.due_at limit 1)) order by state.rank)
  from unnest(${textArray(OPEN_PAYOUT_STATES)}) with ordinality as state(name, rank))`;

export const heldPayments: SQL = sql`json_build_object(
  'count', ${counted(sql`select from ${payments} where held_drops > 0`)},
  'oldest_seconds', (select ${ageSeconds(sql`closed_at`)} from ${payments}
    where held_drops > 0 order by ledger_index, transaction_index limit 1))`;

interface FigureRow extends QueueMetrics, Record<string, unknown> {
  accounts: ReconciledAccount[];
  foreignChanges: ForeignChanges;
  lateDiscoveries: number;
  unknownTransfers: number;
  outcomes: OutcomeCount[];
  runs: JobRun[];
  maintenance: Announcement | null;
}

/** What the database tells of the platform. */
interface Figures extends Pick<SystemStatus, 'invariants' | 'maintenance'> {
  /** The slowest deposit account's cursor: every payment up to that ledger is recorded. Null before the first account. */
  processedIndex: number | null;
  metrics: NonNullable<SystemStatus['metrics']>;
}

/** Reads every figure in one statement, which walks indexes only and counts no further than is of use. */
export async function readMetrics(db: Db): Promise<Figures> {
  const [{ rows }, keys] = await Promise.all([
    db.execute<FigureRow>(sql`select ${reconciledAccounts} as accounts, ${foreignChanges} as "foreignChanges",
      ${unknownTransferCount} as "unknownTransfers", ${lateDiscoveries} as "lateDiscoveries", ${openMaintenance} as maintenance, ${outcomesOfDay} as outcomes,
      ${runsOfJobs} as runs, ${deliveryQueues} as deliveries, ${payoutStates} as payouts, ${heldPayments} as held_payments`),
    checkSigningKeys(),
  ]);
  const [row] = rows;
  if (row === undefined) throw new Error('The figures came without a row');
  const { accounts, maintenance } = row;
  const cursors = accounts.flatMap(({ halted, cursorLedger }) => (halted ? [] : [cursorLedger]));
  return {
    processedIndex: cursors.length === 0 ? null : Math.min(...cursors),
    invariants: {
      balances: judgeBalances(accounts),
      unknown_withdrawals: row.foreignChanges.withdrawals,
      unknown_transfers: row.unknownTransfers,
      foreign_transactions: row.foreignChanges.transactions,
      late_discoveries: row.lateDiscoveries,
      halted_accounts: accounts.filter(({ halted }) => halted).length,
      unfit_signing_keys: new Set(keys.flatMap(({ account, fault }) => (fault === null ? [] : [account]))).size,
    },
    maintenance: maintenance === null ? null : announced(maintenance),
    metrics: {
      deliveries: row.deliveries,
      deliveries_24h: deliveriesOfDay(row.outcomes),
      payouts: row.payouts,
      held_payments: row.held_payments,
      jobs: toJobs(row.runs),
    },
  };
}

const announced = ({ message, startedAt, expectedEndAt }: Announcement): SystemStatus['maintenance'] => ({
  message,
  started_at: toIso(new Date(startedAt)),
  expected_end_at: expectedEndAt === null ? null : toIso(new Date(expectedEndAt)),
});
