import type { Drops, TokenUnits } from './amounts.ts';

/** What a cancelled sale takes out of one investment again. */
export interface CancellationRefund {
  refundedDrops: Drops;
  /** Too little to be sent back. */
  heldDrops: Drops;
}

/**
 * What goes back for the tokens that were not distributed: everything when none were, else their share of what was
 * invested, rounded down to the drop. The rest stays invested: its tokens are on the ledger for good. Pure.
 */
export function cancellationRefundFloor(
  investment: { investedDrops: Drops; totalUnits: TokenUnits; distributedUnits: TokenUnits },
  refundMinDrops: Drops,
): CancellationRefund {
  const { investedDrops, totalUnits, distributedUnits } = investment;
  const drops =
    distributedUnits === 0n ? investedDrops : (investedDrops * (totalUnits - distributedUnits)) / totalUnits;
  return drops >= refundMinDrops ? { refundedDrops: drops, heldDrops: 0n } : { refundedDrops: 0n, heldDrops: drops };
}
