/** Which step of the app a statement is: the one of the first pattern that fits. */
const STATEMENTS = [
  [/insert into "payments"/, 'recognise'],
  [/insert into "actions"[\s\S]*excluded\.status/, 'see actions'],
  [/insert into "actions"/, 'persist action'],
  [/update "payments" as p[\s\S]*outcome/, 'decide'],
  [/insert into "payouts"/, 'owe'],
  [/insert into "events"/, 'append events'],
  [/update "investments"[\s\S]*cancellation_applied/, 'refunds'],
  [/update "deposit_accounts" set [^w]*"?reconciled_ledger/, 'reconcile'],
  [/insert into "payout_attempts"/, 'persist'],
  [/update "payout_attempts"[\s\S]*set status/, 'settle'],
  [/update "payout_attempts"[\s\S]*set engine_result/, 'record answer'],
  [/insert into "ticket_requests"/, 'persist tickets'],
  [/update "ticket_requests"/, 'settle tickets'],
  [/insert into "leases"/, 'lease'],
  [/update "leases"[\s\S]*holder = null/, 'release lease'],
  [/update "payouts" as p[\s\S]*next_check_at/, 'postpone'],
  [/update "deliveries" d set leased_until = now\(\)/, 'claim'],
  [/update "deliveries" d set leased_until = null where/, 'give back'],
  [/insert into "delivery_attempts"[\s\S]*from ended/, 'record'],
  [/insert into "deliveries"/, 'fan out'],
  [/insert into "job_schedules" \(name, woken_until\)/, 'hold wake'],
  [/update "job_schedules" set woken_until = null/, 'let wakes through'],
  [/'interrupted' from expired/, 'release expired'],
  [/set sweeps = d\.sweeps \+ 1/, 'republish'],
  [/set failing_since = case/, 'note receiver'],
] as const satisfies readonly (readonly [RegExp, string])[];

/** After one of these the transaction's commit is a step of its own. */
const COMMITS = {
  recognise: 'commit of feed',
  'see actions': 'commit of feed',
  'persist action': 'commit of feed',
  decide: 'commit of feed',
  owe: 'commit of feed',
  refunds: 'commit of feed',
  settle: 'commit of settle',
} as const;

/**
 * A step of the app at whose edges a process is struck, as the database, Redis (`note`), the ledger and the sockets see
 * it.
 */
export type Step =
  | (typeof STATEMENTS)[number][1]
  | (typeof COMMITS)[keyof typeof COMMITS]
  | 'note'
  | 'submit'
  | 'submit tickets'
  | 'request'
  | 'announce'
  | 'ask witnesses';
export type Steps = readonly [Step, ...Step[]];

/** Which step a statement is; `written` is the last step before it on the same connection. Undefined for all others. */
export function stepOf(statement: string, written: Step | undefined): Step | undefined {
  if (/^\s*commit/i.test(statement)) return COMMITS[written as keyof typeof COMMITS];
  return STATEMENTS.find(([pattern]) => pattern.test(statement))?.[1];
}

/** Which step a request of the process is, by its path. Undefined for all others. */
export function stepOfRequest(path: string): Step | undefined {
  if (path.startsWith('/hook/')) return 'request';
  if (path === '/v1/signatures') return 'ask witnesses';
  return path.startsWith('/v2/batch') ? 'announce' : undefined;
}
