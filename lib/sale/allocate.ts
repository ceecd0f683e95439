import { costCeil, type Drops, minBigInt, type TokenUnits, unitsBoughtFloor } from '#lib/platform/money.ts';
import type { AllocationPart, TierState } from './types.ts';

export interface Allocation {
  parts: AllocationPart[];
  /** Sum of the parts' drops; the last part includes the rounding. */
  investedDrops: Drops;
  totalUnits: TokenUnits;
  roundingDrops: Drops;
  /** What goes back: the rest after the last tier, or change of at least the minimum. */
  refundedDrops: Drops;
  refundReason: 'change' | 'sold_out' | null;
}

/**
 * Splits an amount over the tiers in order (design section 3): whole units rounded down, their cost rounded up,
 * change below `refundMinDrops` kept in the last part. Pure; conserves every drop:
 * `received = investedDrops + refundedDrops`. No part at all when the amount buys no unit.
 */
export function allocate(
  receivedDrops: Drops,
  tiers: readonly TierState[],
  decimals: number,
  refundMinDrops: Drops,
): Allocation {
  const parts: AllocationPart[] = [];
  let restDrops = receivedDrops;
  let totalUnits: TokenUnits = 0n;
  let soldOut = true;
  for (const tier of tiers) {
    const leftUnits = tier.totalUnits - tier.soldUnits;
    if (leftUnits === 0n) continue;
    const affordableUnits = unitsBoughtFloor(restDrops, tier.price, decimals);
    const units = minBigInt(affordableUnits, leftUnits);
    if (units > 0n) {
      const drops = costCeil(units, tier.price, decimals);
      parts.push({ tier: tier.tier, drops, units });
      restDrops -= drops;
      totalUnits += units;
    }
    if (units < leftUnits) {
      soldOut = false;
      break;
    }
  }
  const last = parts.at(-1);
  if (last === undefined) {
    return {
      parts,
      investedDrops: 0n,
      totalUnits,
      roundingDrops: 0n,
      refundedDrops: receivedDrops,
      refundReason: soldOut ? 'sold_out' : 'change',
    };
  }
  const refundedDrops = restDrops >= refundMinDrops ? restDrops : 0n;
  const roundingDrops = restDrops - refundedDrops;
  parts[parts.length - 1] = { ...last, drops: last.drops + roundingDrops };
  return {
    parts,
    investedDrops: receivedDrops - refundedDrops,
    totalUnits,
    roundingDrops,
    refundedDrops,
    refundReason: refundedDrops === 0n ? null : soldOut ? 'sold_out' : 'change',
  };
}

/** Drops that the whole sale brings when every unit of every tier is sold. */
export const fullRaiseDrops = (tiers: readonly Pick<TierState, 'price' | 'totalUnits'>[], decimals: number): Drops =>
  tiers.reduce((sum, tier) => sum + costCeil(tier.totalUnits, tier.price, decimals), 0n);
