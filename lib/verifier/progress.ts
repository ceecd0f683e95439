import type { SaleState } from '@tranche/rules/types.ts';
import { type Findings, noFindings } from './findings.ts';
import type { Unmatched } from './types.ts';

export type Phase = 'ledger' | 'payouts' | 'unexplained' | 'done';

/** How far an account's history has been read. */
export interface HistoryPlace {
  afterLedger: number;
  afterHash: string | null;
}

/** The last row taken of each stream. */
export interface Cursors {
  payments: string | null;
  allocations: string | null;
  payouts: string | null;
  /** Validated payouts of either account, as the ledger shows them. */
  paidByDeposit: string | null;
  paidByDistributor: string | null;
}
export const NO_CURSORS: Cursors = {
  payments: null,
  allocations: null,
  payouts: null,
  paidByDeposit: null,
  paidByDistributor: null,
};

/** Where a verification stands between two pages: all it needs to go on, beside what is published. */
export interface Progress {
  asOf: number;
  /** Close time of that ledger. */
  asOfClosedAtMs: number;
  phase: Phase;
  deposit: HistoryPlace;
  /** Null until the launch is found: nothing is distributed before it. */
  distributor: HistoryPlace | null;
  /** The last ledger that can be read without a hole. */
  through: number;
  /** Without lists: they are read again. */
  sale: SaleState;
  cursors: Cursors;
  /** Payouts are compared beside their payments, as long as nothing that comes later can change what is owed. */
  payoutsBeside: boolean;
  /** Of what is owed; joins the others when the payouts were compared as far as they can be. */
  payoutFindings: Findings;
  /** The same of a first reading that left something open; null without one. */
  firstPayoutFindings: Findings | null;
  /** Of the rows of `/payments` in the first reading and in the second, which must be the same. */
  paymentsRead: string;
  paymentsReadAgain: string;
  /** Of validated payouts in either order. */
  paidDigest: bigint;
  validatedDigest: bigint;
  /** Refunds of the account that are no project's, or another's, and not paid yet, by what they pay; and what other arrivals would give back. */
  otherRefunds: Map<string, number>;
  unmatched: Unmatched[];
  assignsSeen: Set<string>;
  /** Payments whose assign to the sale was passed over, because an exception says that they were sent back before. */
  spentPayments: string[];
  /** Operators' refunds among the payouts, with their payments. */
  refundsSeen: Map<string, string>;
  /** Those that had an exception before the last reading, by their payments. */
  refundsSaid: Map<string, string>;
  /** Hashes of allowlists that were found to differ or to be missing. */
  listsNamed: Set<string>;
  launch: { transaction_hash: string; ledger_index: number; terms_hash: string } | null;
  listMoves: { transaction_hash: string; ledger_index: number; list_hash: string }[];
  releasedDrops: bigint;
  findings: Findings;
}

export const newProgress = (
  asOf: number,
  asOfClosedAtMs: number,
  place: { afterLedger: number; through: number },
  sale: SaleState,
): Progress => ({
  asOf,
  asOfClosedAtMs,
  phase: 'ledger',
  deposit: { afterLedger: place.afterLedger, afterHash: null },
  distributor: null,
  through: place.through,
  sale,
  cursors: NO_CURSORS,
  payoutsBeside: true,
  payoutFindings: noFindings(),
  firstPayoutFindings: null,
  paymentsRead: '',
  paymentsReadAgain: '',
  paidDigest: 0n,
  validatedDigest: 0n,
  otherRefunds: new Map(),
  unmatched: [],
  assignsSeen: new Set(),
  spentPayments: [],
  refundsSeen: new Map(),
  refundsSaid: new Map(),
  listsNamed: new Set(),
  launch: null,
  listMoves: [],
  releasedDrops: 0n,
  findings: noFindings(),
});

/** Whatever was compared of the payouts is compared anew, from the first row on. */
export function beginPayoutsAnew(progress: Progress): void {
  progress.payoutsBeside = false;
  progress.payoutFindings = noFindings();
  progress.validatedDigest = 0n;
  progress.releasedDrops = 0n;
  progress.refundsSeen = new Map();
}
