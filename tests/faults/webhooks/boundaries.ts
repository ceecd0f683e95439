/** The steps at whose edges a process is killed, as the database and its sockets show them. */
export const BOUNDARIES = [
  'hold wake',
  'lease',
  'fan out',
  'claim',
  'give back',
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

const STATEMENTS: readonly [RegExp, Boundary][] = [
  [/update "deliveries" d set leased_until = now\(\)/, 'claim'],
  [/update "deliveries" d set leased_until = null where/, 'give back'],
  [/insert into "delivery_attempts"[\s\S]*from ended/, 'record'],
  [/insert into "deliveries"/, 'fan out'],
  [/insert into "job_schedules" \(name, woken_until\)/, 'hold wake'],
  [/insert into "leases" as l \(name, holder/, 'lease'],
  [/update "leases"[\s\S]*holder = null/, 'release lease'],
  [/update "job_schedules" set woken_until = null/, 'let wakes through'],
  [/'interrupted' from expired/, 'release expired'],
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
