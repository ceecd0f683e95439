import type { ArrivedPayment, Position } from './feed.ts';
import type { PublishedTerms } from './publications.ts';

/** What a verifier finds, in drops, units and milliseconds. */

export interface Allocation {
  tier: number;
  drops: bigint;
  units: bigint;
}

/** What became of a payment, where `by` stands: in its own place, or in that of the move that assigned it. */
export interface Decision {
  payment: ArrivedPayment;
  by: Position;
  assigned: boolean;
  outcome: 'invested' | 'partial' | 'refunded' | 'held';
  reason: string | null;
  invested: bigint;
  refunded: bigint;
  held: bigint;
  rounding: bigint;
  allocations: Allocation[];
}

export interface SaleResult {
  terms: PublishedTerms;
  /** Of its launch; null while it is a draft. */
  launchLedger: number | null;
  status: string;
  endReason: string | null;
  endedAt: number | null;
  raised: bigint;
  soldByTier: bigint[];
  listHash: string | null;
  decisions: Decision[];
}

export interface BookResult {
  sales: SaleResult[];
  /** Payments to no project of the account. */
  strays: Decision[];
  /** Hashes of the payments that an `assign` may still name. */
  held: string[];
  /** The list that an action has put in force and nobody has published: nothing after it can be decided. */
  unpublishedList: string | null;
}
