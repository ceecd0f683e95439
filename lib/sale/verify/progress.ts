import type { SaleState } from '../rules/types.ts';
import { type Findings, noFindings } from './findings.ts';
import type { Unmatched } from './types.ts';

export type Phase = 'feed' | 'payouts' | 'distributor' | 'unexplained' | 'done';

/** Where a verification stands between two pages: all it needs to go on, beside what is published. */
export interface Progress {
  asOf: number;
  /** Close time of that ledger. */
  asOfClosedAtMs: number;
  phase: Phase;
  /** Of the account that the phase reads. */
  afterLedger: number;
  afterHash: string | null;
  /** The last ledger that can be read without a hole. */
  through: number;
  /** Without lists: they are read again. */
  sale: SaleState;
  cursors: { payments: string | null; allocations: string | null; paid: string | null; payouts: string | null };
  /** Of the rows of `/payments` in the first reading and in the second, which must be the same. */
  paymentsRead: string;
  paymentsReadAgain: string;
  /** Of validated payouts in either order. */
  paidDigest: bigint;
  validatedDigest: bigint;
  /** Refunds of the account that are no project's, or another's, and not paid yet: by what they pay. */
  otherRefunds: Map<string, number>;
  unmatched: Unmatched[];
  assignsSeen: Set<string>;
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
  phase: 'feed',
  ...place,
  afterHash: null,
  sale,
  cursors: { payments: null, allocations: null, paid: null, payouts: null },
  paymentsRead: '',
  paymentsReadAgain: '',
  paidDigest: 0n,
  validatedDigest: 0n,
  otherRefunds: new Map(),
  unmatched: [],
  assignsSeen: new Set(),
  launch: null,
  listMoves: [],
  releasedDrops: 0n,
  findings: noFindings(),
});
