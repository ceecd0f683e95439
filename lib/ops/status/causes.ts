import { HEALTH_PARTS, HEALTH_STATUSES } from '#lib/events/data.ts';

export const PARTS = HEALTH_PARTS;
export type Part = (typeof PARTS)[number];

export const STATUSES = HEALTH_STATUSES;
export type HealthStatus = (typeof STATUSES)[number];

/** The higher, the worse. */
export const HEALTH_RANK: Record<HealthStatus, number> = { operational: 0, degraded: 1, down: 2 };

interface Effect {
  part: Part;
  status: Exclude<HealthStatus, 'operational'>;
  /** What everybody is told of it. */
  detail: string;
  /** What an operator does about it. */
  remedy: string;
}

/** Everything that keeps the platform from being operational: what it is a fault of, how bad, what follows from it, and how to mend it. */
export const CAUSES = {
  database_down: {
    part: 'database',
    status: 'down',
    detail: 'The database does not answer: nothing works.',
    remedy: 'See its provider; nothing else helps.',
  },
  metrics_missing: {
    part: 'database',
    status: 'degraded',
    detail: 'The database answers too slowly.',
    remedy: 'Look for long statements and for missing `vacuum`.',
  },
  cache_down: {
    part: 'cache',
    status: 'down',
    detail: 'The cache does not answer: limits are judged without it.',
    remedy: 'See Upstash, and check KV_REST_API_URL and KV_REST_API_TOKEN.',
  },
  queue_down: {
    part: 'queue',
    status: 'down',
    detail: 'The queue does not answer: retries of webhook deliveries come late.',
    remedy: 'See Upstash, and check QSTASH_TOKEN; the minutely cron makes up for lost retries.',
  },
  ledger_down: {
    part: 'ledger',
    status: 'down',
    detail: 'No ledger server answers: payments are recognised late, and none is lost.',
    remedy: 'See the servers of XRPL_URLS, and add another one.',
  },
  ledger_stale: {
    part: 'ledger',
    status: 'degraded',
    detail: 'The newest validated ledger is over a minute old.',
    remedy: 'The network stands still, or the server that is read: compare with another one.',
  },
  ledger_server_down: {
    part: 'ledger',
    status: 'degraded',
    detail: 'One of several ledger servers does not answer: investments are confirmed on the word of two.',
    remedy: 'Replace it, or leave one server in XRPL_URLS.',
  },
  ledger_server_behind: {
    part: 'ledger',
    status: 'degraded',
    detail: 'A ledger server is behind another: investments are confirmed as far as both are.',
    remedy: 'Replace it, or leave one server in XRPL_URLS.',
  },
  ledger_servers_disagree: {
    part: 'ledger',
    status: 'degraded',
    detail: 'Two ledger servers show different ledgers at one index: one of them is on another chain.',
    remedy: 'Take the wrong one out of XRPL_URLS at once: compare with a public explorer.',
  },
  processing_behind: {
    part: 'platform',
    status: 'degraded',
    detail: 'Validated ledgers wait to be read: payments are recognised late, and none is lost.',
    remedy: 'See the log of /api/cron/process-payments, and `read_feeds` in its faults.',
  },
  job_late: {
    part: 'platform',
    status: 'degraded',
    detail: 'Background work has not begun when it was due.',
    remedy:
      'Check that the crons are on (Vercel: Settings, Cron Jobs). Where the plan’s are too rare, run `npx tranche setup`.',
  },
  invariant_violated: {
    part: 'platform',
    status: 'degraded',
    detail: 'An invariant is violated and needs an operator: see `invariants` of the system status.',
    remedy: 'See `invariants` in GET /api/system/status, and what the runbook says of each.',
  },
} as const satisfies Record<string, Effect>;

export type Cause = keyof typeof CAUSES;
export const isCause = (name: string): name is Cause => Object.hasOwn(CAUSES, name);
export const CAUSE_NAMES = Object.keys(CAUSES) as [Cause, ...Cause[]];
