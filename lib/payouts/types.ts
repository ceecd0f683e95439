import type { Place } from '@tranche/rules/custody.ts';
import type { OwedPayment } from '@tranche/rules/transactions.ts';
import type { Drops } from '#lib/base/money.ts';
import type { TicketUse } from '#lib/xrpl/types.ts';

/** Payments of one account that may be under way at once. */
export const MAX_IN_FLIGHT = 200;
/** Payouts that are checked, signed and submitted together. */
export const BATCH = 50;
/** The same where witnesses are asked: once for all of them, because each request reads the newest ledger. */
export const WITNESSED_BATCH = 200;

/** Fewer tickets are not worth a transaction of their own. */
export const MIN_TICKET_REQUEST = 10;
/** Tickets beyond those needed now, so that the next single payout need not wait for a ledger of its own. */
export const SPARE_TICKETS = 5;
/** Kept back from refunds for the fees of what is under way. */
export const FEE_FLOAT_DROPS: Drops = 1_000_000n;

/** Something to pay, with what is needed to pay and report it. */
export interface Payout extends OwedPayment {
  id: string;
  kind: 'distribution' | 'refund' | 'release' | 'lock' | 'unlock';
  projectId: string | null;
  investmentId: string | null;
  /** Where the payment that it pays out or back stands on the ledger; null for a release, a lock or an unlock. */
  paymentPlace: Place | null;
  part: number;
  /** Of a lock or unlock: before this time nobody can finish its escrow. Absent or null for what is paid. */
  lockedUntil?: Date | null;
  /** Of an unlock that can be made: the sequence or ticket by which its escrow is named. */
  escrowSequence?: number;
}

/** A signed transaction that may still succeed. */
export interface OpenAttempt {
  txHash: string;
  txBlob: string;
  ticket: number;
  feeDrops: Drops;
  firstLedger: number;
  lastLedgerSequence: number;
  /** The server's last answer to its submission; null when none was recorded. */
  engineResult: string | null;
  /** Validated ledger when a server last answered its submission; null when none did. */
  submittedLedger: number | null;
  /** How many attempts of the same payout failed on the ledger. */
  failures: number;
  /** How many attempts of the same payout expired. */
  expiries: number;
  /** Its ticket was created for this payout alone. */
  isAssigned: boolean;
  /** The account is halted or the sale cancelled: it may still succeed, but is not handed to the ledger again. */
  stopped: boolean;
  payout: Payout;
}

/** Another transaction with the payout's own ticket has paid exactly it: other signers of the same payment. */
type PaidByOther = { kind: 'paid_by_other'; use: TicketUse; closedAtMs: number };

/**
 * What validated ledgers not before LastLedgerSequence show of an attempt's ticket: it is unused, or another transaction,
 * signed outside the platform, has used it up. Either way the attempt was not and cannot be applied.
 */
export type TicketStatus =
  | { kind: 'unused' }
  | PaidByOther
  | { kind: 'used_outside'; use: TicketUse }
  | { kind: 'unknown' };

/** Why a payout cannot be paid now, as shown to the investor and the operator. The closed list. */
export const PAYOUT_REASONS = [
  'destination_missing',
  'destination_is_payer',
  'destination_is_issuer',
  'destination_tag_required',
  'deposit_authorization_required',
  'trust_line_missing',
  'trust_line_unauthorized',
  'trust_line_frozen',
  'trust_line_limit',
  'token_not_opted_in',
  'token_unauthorized',
  'token_locked',
  'issuer_missing',
  'issuer_frozen',
  'issuance_missing',
  'issuance_locked',
  'issuance_maximum',
  'asset_scale_differs',
  'transfer_fee',
  'transfer_not_allowed',
  'escrow_not_allowed',
  'lock_time_passed',
  'lock_undecided',
  'lock_not_made',
  'escrow_not_due',
  'payer_missing',
  'payer_underfunded',
  'payer_frozen',
  'payer_key_disabled',
  'payer_key_changed',
  'facts_unreadable',
  'fee_above_amount',
  'release_below_floor',
  'paid_elsewhere',
  'signing_key_missing',
  'signing_key_unfit',
  'waiting_witnesses',
  'witness_refused',
  'database_behind',
  'unsignable',
  'hourly_ceiling',
  'above_hourly_ceiling',
  'operator_hold',
] as const;
export type PayoutReason = (typeof PAYOUT_REASONS)[number];

/** A transaction that was signed outside the platform may have paid it: what is owed is unknown until a person decides. */
export const PAID_ELSEWHERE: PayoutReason = 'paid_elsewhere';

/**
 * `wait`: the holder's side must change; `later`: ours must (status `ready`); `hold`: a person must decide.
 * A reason may also be the ledger's own result code.
 */
export type Decision = { kind: 'pay' } | { kind: 'wait' | 'later' | 'hold'; reason: PayoutReason };

/** What one slice did, before it has done anything. */
export const noCounts = () => ({
  /** Attempts whose outcome became final: validated + failed + expired. */
  settled: 0,
  validated: 0,
  failed: 0,
  expired: 0,
  waiting: 0,
  held: 0,
  submitted: 0,
});
export type PayoutCounts = ReturnType<typeof noCounts>;
