import { env } from '#lib/base/env.ts';
import { type Drops, minBigInt, unitsBoughtFloor } from '#lib/base/money.ts';
import { fullRaiseDrops } from '#lib/rules/allocate.ts';
import type { ProjectInput } from '../schemas.ts';
import type { CheckedTier } from './check-tiers.ts';
import type { Faults } from './faults.ts';

type Limits = Pick<
  ProjectInput,
  'token' | 'distribution' | 'soft_cap_xrp' | 'min_investment_xrp' | 'max_per_wallet_xrp'
>;

/** Minimum, maximum and soft cap can be kept by somebody, and leave something to be sold. */
export function checkLimits(input: Limits, tiers: readonly CheckedTier[], faults: Faults): void {
  const { decimals } = input.token;
  const fullDrops = fullRaiseDrops(tiers, decimals);
  const minimum = input.min_investment_xrp ?? null;
  const maximum = input.max_per_wallet_xrp ?? null;
  const softCap = input.soft_cap_xrp ?? null;
  if (minimum === 0n) faults.add('min_investment_xrp', 'must be more than 0: leave it out for none');
  if (minimum !== null && minimum > fullDrops) faults.add('min_investment_xrp', 'is more than the whole sale costs');
  if (maximum !== null) {
    if (minimum !== null && minimum > maximum) {
      faults.add('max_per_wallet_xrp', 'must not be less than min_investment_xrp');
    }
    const tooDear = tiers.find((tier) => unitsBoughtFloor(maximum, tier.price, decimals) === 0n);
    if (maximum === 0n) faults.add('max_per_wallet_xrp', 'must be more than 0: leave it out for none');
    else if (tooDear !== undefined) {
      faults.add('max_per_wallet_xrp', `does not buy the smallest unit in tier ${tooDear.tier}`);
    }
  }
  if (softCap !== null) {
    if (softCap === 0n) faults.add('soft_cap_xrp', 'must be more than 0: leave it out for none');
    if (softCap > fullDrops) faults.add('soft_cap_xrp', 'is more than the whole sale costs');
    if (input.distribution !== 'at_end') {
      faults.add('soft_cap_xrp', 'asks for distribution "at_end": tokens cannot be taken back when it is missed');
    }
  }
}

/**
 * The smallest purchase of a sale whose operator names none: without one, anybody can cause any number of payouts for a
 * drop each. Never more than a wallet may invest, or than the whole sale costs. Null when the setting asks for none.
 */
export function defaultMinimumDrops(
  { token, max_per_wallet_xrp: maximum }: Pick<ProjectInput, 'token' | 'max_per_wallet_xrp'>,
  tiers: readonly CheckedTier[],
): Drops | null {
  const drops = BigInt(env().DEFAULT_MIN_INVESTMENT_DROPS);
  const possible = minBigInt(maximum ?? drops, fullRaiseDrops(tiers, token.decimals));
  return drops === 0n ? null : minBigInt(drops, possible);
}
