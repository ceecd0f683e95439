import { type Drops, divideCeil, minBigInt } from '#lib/base/money.ts';
import type { ServerState } from './types.ts';

/** 0.05 XRP: above it a transaction waits for a calmer ledger; it expires unpaid and a new attempt is made. */
export const MAX_FEE_DROPS: Drops = 50_000n;

/**
 * What a transaction offers: base fee × load × 1.2, rounded up, never above `ceilingDrops`. The cushion is the one of
 * autofill (docs/ledger-facts.md, 17): the load may rise until the transaction arrives.
 */
export function transactionFee(
  state: Pick<ServerState, 'baseFeeDrops' | 'loadFactor' | 'loadBase'>,
  ceilingDrops: Drops = MAX_FEE_DROPS,
): Drops {
  const cushioned = divideCeil(state.baseFeeDrops * state.loadFactor * 12n, state.loadBase * 10n);
  return minBigInt(cushioned, ceilingDrops);
}

/**
 * True when the transaction's fee is more than what it pays, and more than it would be in a calm ledger: who sends back what
 * is worth so little waits for that. Pure.
 */
export function isFeeAbove(
  drops: Drops,
  state: Pick<ServerState, 'baseFeeDrops' | 'loadFactor' | 'loadBase'>,
): boolean {
  const fee = transactionFee(state);
  return fee > drops && fee > transactionFee({ ...state, loadFactor: state.loadBase });
}
