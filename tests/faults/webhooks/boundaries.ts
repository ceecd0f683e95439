/** The steps at whose edges a process is killed, as the database and its sockets show them. */
export const BOUNDARIES = [
  'hold wake',
  'lease',
  'fan out',
  'claim',
  'request',
  'record',
  'announce retry',
  'note receiver',
  'release lease',
  'let wakes through',
  'release expired',
  'republish',
] as const;
export type Boundary = (typeof BOUNDARIES)[number];

/** Those between which a delivery can be lost or doubled. */
export const CORE_BOUNDARIES = [
  'fan out',
  'claim',
  'request',
  'record',
  'announce retry',
] as const satisfies readonly Boundary[];

/** Before the step, once it is on its way but not answered, or once it is answered but nothing more was done. */
export const SIDES = ['before', 'sent', 'after'] as const;
export type Side = (typeof SIDES)[number];

/** What happens to the process itself at a boundary. */
export interface Strike {
  boundary: Boundary;
  side: Side;
  /** At the n-th time the step is reached, from 1. */
  nth: number;
  /** SIGSTOP makes it a process that hangs for longer than its claims and then goes on. */
  signal: 'SIGKILL' | 'SIGSTOP';
}

const STATEMENTS: readonly [RegExp, Boundary][] = [
  [/insert into "delivery_attempts"/, 'claim'],
  [/set url = o\.url/, 'record'],
  [/insert into "deliveries"/, 'fan out'],
  [/insert into "leases" as l \(name, leased_until\)/, 'hold wake'],
  [/insert into "leases" as l \(name, holder/, 'lease'],
  [/update "leases"[\s\S]*holder = null/, 'release lease'],
  [/update "leases" set leased_until = null/, 'let wakes through'],
  [/error_kind = 'interrupted' from expired/, 'release expired'],
  [/set sweeps = d\.sweeps \+ 1/, 'republish'],
  [/set failing_since = case/, 'note receiver'],
];

/** Which step a statement is; undefined for all others. */
export const boundaryOf = (statement: string): Boundary | undefined =>
  STATEMENTS.find(([pattern]) => pattern.test(statement))?.[1];

/** Which step a request of the process is, by its path; undefined for all others. */
export function boundaryOfRequest(path: string): Boundary | undefined {
  if (path.startsWith('/hook/')) return 'request';
  return path.startsWith('/v2/batch') ? 'announce retry' : undefined;
}
