/**
 * The books of one deposit account as lines of text, one a row, sorted: what the database holds and what the reducer says
 * are the same when the lines are.
 */
export interface Books {
  payments: string[];
  investments: string[];
  allocations: string[];
  projects: string[];
  tiers: string[];
  actions: string[];
  payouts: string[];
  /** Ids of all events. */
  events: string[];
  /** By project, in the order in which decisions are told; `investment.created` is told at recognition and not here. */
  told: string[];
  recordedBalanceDrops: string;
}

type Value = string | number | bigint | boolean | Date | null;

/** One row as a line. Values by name, so that a difference says what differs. */
export const line = (values: Record<string, Value>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${value instanceof Date ? value.toISOString() : value}`)
    .join(' ');

export const toDate = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));

const PROJECT_ID_LENGTH = 27;

/** Sorts lines that begin with a project's id and leaves those of one project in their order: projects are told of side by side. */
export function byProject(a: string, b: string): number {
  const [one, other] = [a.slice(0, PROJECT_ID_LENGTH), b.slice(0, PROJECT_ID_LENGTH)];
  return one < other ? -1 : Number(one > other);
}
