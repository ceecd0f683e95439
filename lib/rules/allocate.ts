import { costCeil, type Drops, minBigInt, type TokenUnits, unitsBoughtFloor } from './amounts.ts';
import type { CredentialRequirement } from './credentials.ts';
import type { AllocationPart, PartialReason, TierState } from './types.ts';

/** What the rules allow this payment's sender, at this payment's place. */
export interface Buyer {
  /** Close time of the ledger that decides. */
  atMs: number;
  /** On the list in force. */
  admitted: boolean;
  /** Whether the sender holds the credential that a tier requires. */
  holds: (required: CredentialRequirement) => boolean;
  /** What the sender may still invest in all, and in listed tiers; null is no limit. */
  leftDrops: Drops | null;
  leftListedDrops: Drops | null;
}

export interface Allocation {
  parts: AllocationPart[];
  /** Sum of the parts' drops; the last part includes the rounding. */
  investedDrops: Drops;
  totalUnits: TokenUnits;
  roundingDrops: Drops;
  /** What goes back: what no tier took, or change of at least the minimum. */
  refundedDrops: Drops;
  /** What ended the buying. */
  stoppedBy: PartialReason;
}

const within = (drops: Drops, limit: Drops | null): Drops =>
  limit === null ? drops : minBigInt(drops, limit < 0n ? 0n : limit);

/**
 * Splits an amount over the tiers in order (docs/verification.md, section 3): whole units rounded down, their cost
 * rounded up, change below `refundMinDrops` kept in the last part. A tier that has not started, or does not admit the
 * buyer, ends the buying: it is never skipped. Pure; conserves every drop: `received = investedDrops + refundedDrops`.
 * No part at all when nothing is bought. Kept change may carry a wallet past its limit by less than `refundMinDrops`.
 */
export function allocate(
  receivedDrops: Drops,
  tiers: readonly TierState[],
  buyer: Buyer,
  { decimals, refundMinDrops }: { decimals: number; refundMinDrops: Drops },
): Allocation {
  const parts: AllocationPart[] = [];
  let restDrops = receivedDrops;
  let totalUnits: TokenUnits = 0n;
  let listedDrops: Drops = 0n;
  let stoppedBy: PartialReason = 'sold_out';
  for (const tier of tiers) {
    const leftUnits = tier.totalUnits - tier.soldUnits;
    if (leftUnits === 0n) continue;
    if (tier.startsAtMs !== null && buyer.atMs < tier.startsAtMs) {
      stoppedBy = 'between_tiers';
      break;
    }
    if (tier.listed && !buyer.admitted) {
      stoppedBy = 'not_admitted';
      break;
    }
    const spentDrops = receivedDrops - restDrops;
    const ofAll = within(restDrops, buyer.leftDrops === null ? null : buyer.leftDrops - spentDrops);
    const ofListed = buyer.leftListedDrops === null ? null : buyer.leftListedDrops - listedDrops;
    const budgetDrops = tier.listed ? within(ofAll, ofListed) : ofAll;
    const affordableUnits = unitsBoughtFloor(budgetDrops, tier.price, decimals);
    const units = minBigInt(affordableUnits, leftUnits);
    // Asked last: what buys nothing here in any case must depend on no credential, which costs a look-up.
    if (units > 0n && tier.credential !== null && !buyer.holds(tier.credential)) {
      stoppedBy = 'not_admitted';
      break;
    }
    if (units > 0n) {
      const drops = costCeil(units, tier.price, decimals);
      parts.push({ tier: tier.tier, drops, units });
      restDrops -= drops;
      totalUnits += units;
      if (tier.listed) listedDrops += drops;
    }
    if (units < leftUnits) {
      const unlimitedUnits = unitsBoughtFloor(receivedDrops - spentDrops, tier.price, decimals);
      stoppedBy = unlimitedUnits > affordableUnits ? 'above_wallet_cap' : 'change';
      break;
    }
  }
  const last = parts.at(-1);
  if (last === undefined) {
    return { parts, investedDrops: 0n, totalUnits, roundingDrops: 0n, refundedDrops: receivedDrops, stoppedBy };
  }
  const refundedDrops = restDrops >= refundMinDrops ? restDrops : 0n;
  const roundingDrops = restDrops - refundedDrops;
  parts[parts.length - 1] = { ...last, drops: last.drops + roundingDrops };
  return { parts, investedDrops: receivedDrops - refundedDrops, totalUnits, roundingDrops, refundedDrops, stoppedBy };
}

/** Drops that the whole sale brings when every unit of every tier is sold. */
export const fullRaiseDrops = (tiers: readonly Pick<TierState, 'price' | 'totalUnits'>[], decimals: number): Drops =>
  tiers.reduce((sum, tier) => sum + costCeil(tier.totalUnits, tier.price, decimals), 0n);
