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
}

/** Everything that keeps the platform from being operational: what it is a fault of, how bad, and what follows from it. */
export const CAUSES = {
  database_down: { part: 'database', status: 'down', detail: 'The database does not answer: nothing works.' },
  figures_missing: { part: 'database', status: 'degraded', detail: 'The database answers too slowly.' },
  cache_down: { part: 'cache', status: 'down', detail: 'The cache does not answer: limits are judged without it.' },
  queue_down: {
    part: 'queue',
    status: 'down',
    detail: 'The queue does not answer: retries of webhook deliveries come late.',
  },
  ledger_down: {
    part: 'ledger',
    status: 'down',
    detail: 'No ledger server answers: payments are recognised late, and none is lost.',
  },
  ledger_stale: { part: 'ledger', status: 'degraded', detail: 'The newest validated ledger is over a minute old.' },
  ledger_server_down: {
    part: 'ledger',
    status: 'degraded',
    detail: 'One of several ledger servers does not answer: investments are confirmed on the word of two.',
  },
  ledger_server_behind: {
    part: 'ledger',
    status: 'degraded',
    detail: 'A ledger server is behind another: investments are confirmed as far as both are.',
  },
  ledger_servers_disagree: {
    part: 'ledger',
    status: 'degraded',
    detail: 'Two ledger servers show different ledgers at one index: one of them is on another chain.',
  },
  processing_behind: {
    part: 'platform',
    status: 'degraded',
    detail: 'Validated ledgers wait to be read: payments are recognised late, and none is lost.',
  },
  job_late: { part: 'platform', status: 'degraded', detail: 'Background work has not begun when it was due.' },
  invariant_violated: {
    part: 'platform',
    status: 'degraded',
    detail: 'Something in the books needs an operator: see `invariants` of the system status.',
  },
} as const satisfies Record<string, Effect>;

export type Cause = keyof typeof CAUSES;
export const CAUSE_NAMES = Object.keys(CAUSES) as [Cause, ...Cause[]];
