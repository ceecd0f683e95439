import { cpuMsOfPayments, type Scenario, type Used } from './scenario.ts';
import { isWork, ofRoutes, type RouteUsage } from './usage.ts';

const MILLION = 1_000_000;
const HOUR_MS = 3_600_000;
/** What a function has by default on Vercel, in GB. */
const FUNCTION_GB = 2;

/** What a managed service bills, and how much of it. */
export interface CostLine {
  service: string;
  what: string;
  /** What its price is for. */
  unit: string;
  /** Of a million payments, all deliveries and payouts with them. */
  perMillion: number;
  /** Of an hour in which a sale is active, and nobody pays. */
  perHour: number;
}

/** Of calls of one kind: how many, and what they took. */
export interface RouteLine extends RouteUsage {
  route: string;
}

export interface Cost {
  payments: number;
  webhooks: number;
  payouts: boolean;
  /** Reads a second, the processor time of which is taken off. */
  reads: number;
  /** What works while a sale is active. */
  worker: string;
  lines: CostLine[];
  /** By route, of the scheduler's and the queue's calls, for a million payments. */
  routes: RouteLine[];
}

const NOBODY = 'beside calls';

function idleHour({ app, elapsedMs, queueMessages }: Used) {
  const seen = ofRoutes(app, isWork);
  const scale = HOUR_MS / elapsedMs;
  return {
    calls: seen.calls * scale,
    statements: seen.statements * scale,
    redisCommands: seen.redisCommands * scale,
    queueMessages: queueMessages * scale,
    busyMs: app.busyMs * scale,
    cpuMs: app.cpuMs * scale,
  };
}

/** Extrapolates what one scenario used, without what its readers did. */
export function costOf(
  scenario: Scenario,
  { webhooks, payouts, reads, worker }: Pick<Cost, 'webhooks' | 'payouts' | 'reads' | 'worker'>,
): Cost {
  const { flood, floodUse, idleUse } = scenario;
  const { app, database } = floodUse;
  const work = ofRoutes(app, (name) => isWork(name) || name === '');
  if (work.statements === 0) {
    throw new Error('No statement was counted: the app reaches Postgres on a way that counting.ts does not see');
  }
  const calls = ofRoutes(app, isWork).calls;
  const hour = idleHour(idleUse);
  const scale = MILLION / flood.payments;
  const cpuMs = cpuMsOfPayments(scenario);
  const line = (service: string, what: string, unit: string, used: number, inHour: number): CostLine => ({
    service,
    what,
    unit,
    perMillion: used * scale,
    perHour: inHour,
  });
  const gigabyteHours = (busyMs: number) => (busyMs / HOUR_MS) * FUNCTION_GB;
  const idleDatabaseMs = (idleUse.database.activeMs / idleUse.elapsedMs) * HOUR_MS;
  return {
    payments: flood.payments,
    webhooks,
    payouts,
    reads,
    worker,
    lines: [
      line('Postgres', 'SQL statements', 'none by itself', work.statements, hour.statements),
      line(
        'Postgres',
        'time executing statements, hours',
        'compute-hour',
        database.activeMs / HOUR_MS,
        idleDatabaseMs / HOUR_MS,
      ),
      line('Postgres', 'storage, GB', 'GB-month', database.sizeBytes / 1e9, 0),
      line('Redis', 'commands', '100,000 commands', work.redisCommands, hour.redisCommands),
      line('QStash', 'messages', '100,000 messages', floodUse.queueMessages, hour.queueMessages),
      line('Functions', 'invocations', '1,000,000 invocations', calls, hour.calls),
      line('Functions', 'active processor time, hours', 'active CPU hour', cpuMs / HOUR_MS, hour.cpuMs / HOUR_MS),
      line(
        'Functions',
        `memory while at work (${FUNCTION_GB} GB), GB-hours`,
        'GB-hour',
        gigabyteHours(app.busyMs),
        gigabyteHours(hour.busyMs),
      ),
    ],
    routes: Object.entries(app.routes)
      .filter(([route]) => isWork(route) || route === '')
      .map(([route, used]) => ({
        route: route === '' ? NOBODY : route,
        calls: used.calls * scale,
        durationMs: used.durationMs * scale,
        statements: used.statements * scale,
        redisCommands: used.redisCommands * scale,
        queueMessages: used.queueMessages * scale,
      }))
      .filter(({ calls: count, statements }) => count > 0 || statements > 0)
      .sort((a, b) => b.statements - a.statements),
  };
}

/** Three digits that count, and thousands set apart. */
function shown(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en-US');
  return value === 0 ? '0' : value.toPrecision(3);
}

/** The section as Markdown. */
export function costTable(cost: Cost): string {
  const { payments, webhooks, payouts, reads, worker, lines, routes } = cost;
  const ends = payouts ? 'confirmed, paid out' : 'confirmed (not paid out: the sale pays at its end)';
  const roughly =
    reads === 0 ? '' : ' Processor time is rough: that of the reads meanwhile was estimated and taken off.';
  const head = `Measured over ${shown(payments)} payments, each ${ends} and told to ${webhooks} webhooks; ${worker}.${roughly}`;
  const rows = lines.map(
    ({ service, what, unit, perMillion, perHour }) =>
      `| ${service} | ${what} | ${shown(perMillion)} | ${shown(perHour)} | ${unit} |`,
  );
  const routeRows = routes.map(
    (each) =>
      `| \`${each.route}\` | ${shown(each.calls)} | ${shown(each.durationMs / HOUR_MS)} | ${shown(each.statements)} | ${shown(each.redisCommands)} | ${shown(each.queueMessages)} |`,
  );
  return [
    head,
    '',
    '| service | what | 1,000,000 payments | an hour of an active sale without payments | billed by |',
    '|---|---|---:|---:|---|',
    ...rows,
    '',
    'Where it comes from, for 1,000,000 payments:',
    '',
    '| called by the scheduler or the queue | calls | hours | SQL statements | Redis commands | QStash messages |',
    '|---|---:|---:|---:|---:|---:|',
    ...routeRows,
    '',
  ].join('\n');
}
