/** The steps at whose edges a process is killed, as the database, Redis (`note`) and the ledger see them. */
export const BOUNDARIES = [
  'lease',
  'postpone',
  'persist',
  'commit of persist',
  'note',
  'submit',
  'record answer',
  'settle',
  'commit of settle',
  'persist tickets',
  'submit tickets',
  'settle tickets',
  'release lease',
] as const;
export type Boundary = (typeof BOUNDARIES)[number];

/** Those between which money is at stake. */
export const CORE_BOUNDARIES = [
  'persist',
  'commit of persist',
  'note',
  'submit',
  'record answer',
  'settle',
  'commit of settle',
  'persist tickets',
  'submit tickets',
] as const satisfies readonly Boundary[];

const STATEMENTS: readonly [RegExp, Boundary][] = [
  [/insert into "payout_attempts"/, 'persist'],
  [/update "payout_attempts"[\s\S]*set status/, 'settle'],
  [/update "payout_attempts"[\s\S]*set engine_result/, 'record answer'],
  [/insert into "ticket_requests"/, 'persist tickets'],
  [/update "ticket_requests"/, 'settle tickets'],
  [/insert into "leases"/, 'lease'],
  [/update "leases"[\s\S]*holder = null/, 'release lease'],
  [/update "payouts" as p[\s\S]*next_check_at/, 'postpone'],
];

/** Which step a statement is; `written` is the step before it in the same transaction. Undefined for all others. */
export function boundaryOf(statement: string, written: Boundary | undefined): Boundary | undefined {
  if (/^\s*commit/i.test(statement)) {
    return written === 'persist' || written === 'settle' ? `commit of ${written}` : undefined;
  }
  return STATEMENTS.find(([pattern]) => pattern.test(statement))?.[1];
}
