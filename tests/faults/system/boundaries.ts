import { type Boundary as PayoutBoundary, boundaryOf as payoutBoundaryOf } from '#tests/faults/payouts/boundaries.ts';
import {
  boundaryOf as deliveryBoundaryOf,
  boundaryOfRequest as deliveryBoundaryOfRequest,
} from '#tests/faults/webhooks/boundaries.ts';

/** The steps at whose edges a process of the app is struck, from the ledger's feed to the receiver. */
export const BOUNDARIES = [
  'recognise',
  'see actions',
  'decide',
  'owe',
  'append events',
  'commit of feed',
  'persist action',
  'refunds',
  'reconcile',
  'lease',
  'persist',
  'commit of persist',
  'submit',
  'record answer',
  'settle',
  'commit of settle',
  'persist tickets',
  'settle tickets',
  'fan out',
  'claim',
  'request',
  'record',
  'announce',
  'republish',
  'hold wake',
  'release lease',
] as const;
export type Boundary = (typeof BOUNDARIES)[number];

/** Those between which money is at stake. */
export const MONEY_BOUNDARIES = [
  'recognise',
  'decide',
  'owe',
  'commit of feed',
  'persist',
  'commit of persist',
  'submit',
  'settle',
  'commit of settle',
] as const satisfies readonly Boundary[];

/** Those between which an event or a delivery is. */
export const EVENT_BOUNDARIES = [
  'append events',
  'fan out',
  'claim',
  'request',
  'record',
] as const satisfies readonly Boundary[];

const STATEMENTS: readonly [RegExp, string][] = [
  [/insert into "payments"/, 'recognise'],
  [/insert into "actions"[\s\S]*'ineffective'/, 'see actions'],
  [/insert into "actions"/, 'persist action'],
  [/update "payments" as p[\s\S]*outcome/, 'decide'],
  [/insert into "payouts"/, 'owe'],
  [/insert into "events"/, 'append events'],
  [/update "investments"[\s\S]*cancellation_applied/, 'refunds'],
  [/update "deposit_accounts" set [^w]*"?reconciled_ledger/, 'reconcile'],
];
/** After one of these the transaction's commit is a step of its own. */
const FEED_STEPS = new Set(['recognise', 'see actions', 'decide', 'persist action', 'owe', 'refunds']);

/** Which step a statement is; `written` is the last step before it on the same connection. Undefined for all others. */
export function boundaryOf(statement: string, written: string | undefined): string | undefined {
  if (/^\s*commit/i.test(statement) && written !== undefined && FEED_STEPS.has(written)) return 'commit of feed';
  const own = STATEMENTS.find(([pattern]) => pattern.test(statement))?.[1];
  // Appending events belongs to the step before it in the transaction.
  return own ?? payoutBoundaryOf(statement, written as PayoutBoundary) ?? deliveryBoundaryOf(statement);
}

/** Which step a request is, by its path. */
export function boundaryOfRequest(path: string): string | undefined {
  const found = deliveryBoundaryOfRequest(path);
  return found === 'announce retry' ? 'announce' : found;
}
