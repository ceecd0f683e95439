import { MAX_DROPS, parseUnits, type ScaledPrice, type TokenUnits } from '#lib/base/money.ts';
import { fullRaiseDrops } from '#lib/rules/allocate.ts';
import type { ProjectInput } from '../schemas.ts';
import type { Faults } from './faults.ts';

export interface CheckedTier {
  tier: number;
  price: ScaledPrice;
  totalUnits: TokenUnits;
  access: 'open' | 'allowlist';
  startsAt: Date | null;
}

/** An issued-currency amount holds 15 significant digits (docs/ledger-facts.md, 22). */
const MAX_IOU_UNITS: TokenUnits = 10n ** 15n;
/** An MPT's amounts are 63 bits wide (docs/ledger-facts.md, 24). */
const MAX_MPT_UNITS: TokenUnits = 2n ** 63n - 1n;

/** Tiers count from 1, sell something each, and what they sell in all fits the token and costs no more XRP than there is. */
export function checkTiers(input: Pick<ProjectInput, 'tiers' | 'token'>, faults: Faults): CheckedTier[] {
  const { decimals, kind } = input.token;
  const checked = input.tiers.map((tier, place): CheckedTier => {
    const totalUnits = parseUnits(tier.total_tokens, decimals);
    if (totalUnits === null || totalUnits === 0n) {
      faults.add(
        `tiers[${place}].total_tokens`,
        `must be a positive decimal with at most ${decimals} fractional digits`,
      );
    }
    if (tier.tier !== undefined && tier.tier !== place + 1) {
      faults.add(`tiers[${place}].tier`, `must be ${place + 1}: tiers count from 1 in order`);
    }
    return {
      tier: place + 1,
      price: tier.price_per_token,
      totalUnits: totalUnits ?? 0n,
      access: tier.access,
      startsAt: tier.starts_at ?? null,
    };
  });
  const supplyUnits = supplyOf(checked);
  if (kind === 'iou' && supplyUnits > MAX_IOU_UNITS) {
    faults.add(
      'tiers',
      `sell more than 10^${15 - decimals} tokens in all, which a token with ${decimals} decimals cannot hold exactly`,
    );
  } else if (kind === 'mpt' && supplyUnits > MAX_MPT_UNITS) {
    faults.add('tiers', 'sell more than 2^63 - 1 units in all, which is the most that an MPT can have');
  } else if (fullRaiseDrops(checked, decimals) > MAX_DROPS) {
    faults.add('tiers', 'cost more than all XRP there is (100 billion)');
  }
  return checked;
}

/** Units that all tiers sell together. */
export const supplyOf = (tiers: readonly Pick<CheckedTier, 'totalUnits'>[]): TokenUnits =>
  tiers.reduce((sum, tier) => sum + tier.totalUnits, 0n);
