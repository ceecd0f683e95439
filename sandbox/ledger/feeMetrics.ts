import { transactionCostDrops } from './engine/apply.ts';
import type { NetworkRules } from './rules.ts';
import type { ReadView } from './state.ts';
import type { Transaction } from './transaction.ts';

/** The fee level of a transaction that pays exactly what it costs in an idle ledger. */
export const BASE_LEVEL = 256n;
const MIN_MULTIPLIER = 500n * BASE_LEVEL;
/** A ledger with more transactions than this counts as busy even where the expectation is higher. */
const TARGET_SIZE = 256;
const RECENT_LEDGERS = 20;
const LEDGERS_IN_QUEUE = 20;
const MIN_QUEUE_SIZE = 2000;

export type FeeSetup = {
  /** Transactions an open ledger takes at the base fee, before any ledger was busier. */
  readonly expectedLedgerSize: number;
  /** How much more than a busy ledger held the next is expected to hold. */
  readonly growthPercent: number;
};
/** What a standalone server starts with. */
export const DEFAULT_FEE_SETUP: FeeSetup = { expectedLedgerSize: 1000, growthPercent: 20 };

/** What a transaction pays, in 256ths of what it costs. */
export function feeLevel(tx: Transaction, rules: NetworkRules, view: ReadView): bigint {
  const costDrops = transactionCostDrops(tx.fields, rules, view);
  const paidDrops = typeof tx.fields.Fee === 'string' && /^\d+$/.test(tx.fields.Fee) ? BigInt(tx.fields.Fee) : 0n;
  return costDrops > 0n ? (paidDrops * BASE_LEVEL) / costDrops : (paidDrops + 1n) * BASE_LEVEL;
}

const largest = (numbers: readonly number[]): number => numbers.reduce((a, b) => Math.max(a, b), 0);

/** How full ledgers have been, and the fee the open ledger asks for because of it. */
export class FeeMetrics {
  private readonly setup: FeeSetup;
  private recentSizes: number[] = [];
  expectedSize: number;
  /** Median fee level of the last ledger, at least 500 times the base. */
  multiplier = MIN_MULTIPLIER;
  /** Unlimited until the first ledger was closed. */
  maxQueueSize: number | undefined;

  constructor(setup: FeeSetup) {
    this.setup = setup;
    this.expectedSize = setup.expectedLedgerSize;
  }

  /** Fee level that the next transaction needs to enter an open ledger of that size. */
  requiredLevel(openSize: number): bigint {
    if (openSize <= this.expectedSize) return BASE_LEVEL;
    return (this.multiplier * BigInt(openSize) ** 2n) / BigInt(this.expectedSize) ** 2n;
  }

  /** Sum of the levels that `count` transactions in a row would need. */
  requiredSeries(openSize: number, count: number): bigint {
    let squares = 0n;
    for (let size = openSize; size < openSize + count; size++) squares += BigInt(size) ** 2n;
    return (this.multiplier * squares) / BigInt(this.expectedSize) ** 2n;
  }

  /** What was learned so far, for `restore`. */
  learned() {
    const { recentSizes, expectedSize, multiplier, maxQueueSize } = this;
    return { recentSizes, expectedSize, multiplier, maxQueueSize };
  }

  /** Forgets what was learned since. */
  restore(learned: ReturnType<FeeMetrics['learned']>): void {
    Object.assign(this, learned);
  }

  /** Learns from a ledger that was closed. */
  ledgerClosed(levels: readonly bigint[]): void {
    const size = levels.length;
    if (size > this.expectedSize || size > Math.max(TARGET_SIZE, this.setup.expectedLedgerSize)) {
      this.recentSizes = [...this.recentSizes, Math.floor((size * (100 + this.setup.growthPercent)) / 100)].slice(
        -RECENT_LEDGERS,
      );
      const top = largest(this.recentSizes);
      this.expectedSize = top >= this.expectedSize ? top : Math.floor((this.expectedSize * 9 + top) / 10);
    }
    const sorted = [...levels].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    const median = ((sorted[size >> 1] ?? 0n) + (sorted[(size - 1) >> 1] ?? 0n) + 1n) / 2n;
    this.multiplier = median > MIN_MULTIPLIER ? median : MIN_MULTIPLIER;
    this.maxQueueSize = Math.max(this.expectedSize * LEDGERS_IN_QUEUE, MIN_QUEUE_SIZE);
  }
}

/** What a level means in drops for a transaction of that cost. */
export const levelDrops = (level: bigint, costDrops: bigint): bigint => (level * costDrops) / BASE_LEVEL;
