import type { Vesting } from '@tranche/rules/vesting.ts';
import fc from 'fast-check';
import type { Drops, ScaledPrice, TokenUnits } from '#lib/base/money.ts';
import { CLOSED_AT_MS, XRP } from '#tests/support/sale.ts';

/** A sale's terms, as an operator might publish them. */
export interface Terms {
  decimals: number;
  access: 'open' | 'allowlist';
  startsAtMs: number | null;
  endsAtMs: number | null;
  minInvestmentDrops: Drops | null;
  maxPerWalletDrops: Drops | null;
  softCapDrops: Drops | null;
  refundMinDrops: Drops;
  distribution: 'immediate' | 'at_end';
  vesting: Vesting;
  tiers: {
    price: ScaledPrice;
    totalUnits: TokenUnits;
    access: 'open' | 'allowlist';
    startsAtMs: number | null;
  }[];
}

const NO_VESTING: Vesting = { immediate_bps: 10_000, cliff_days: 0, period_days: 0, periods: 0 };

const between = (min: bigint, max: bigint) => fc.bigInt({ min, max });
const perhaps = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });

const tier = fc.record({
  totalUnits: fc.oneof(between(1n, 5n), between(6n, 2_000n), between(10_000n, 10n ** 10n)),
  valueDrops: between(2_000n, 40n * XRP),
  access: fc.constantFrom<'open' | 'allowlist'>('open', 'open', 'open', 'open', 'open', 'allowlist'),
  startsAfterMs: perhaps(fc.nat(120_000)),
});

const drawn = fc.record({
  tiers: fc.array(tier, { minLength: 1, maxLength: 3, size: 'max' }),
  decimals: fc.nat(6),
  access: fc.constantFrom<'open' | 'allowlist'>('open', 'open', 'open', 'open', 'open', 'allowlist'),
  startsAfterMs: perhaps(fc.integer({ min: -20_000, max: 40_000 })),
  endsAfterMs: perhaps(fc.integer({ min: 20_000, max: 240_000 })),
  minInvestmentDrops: perhaps(between(1n, 2n * XRP)),
  maxPerWalletDrops: perhaps(between(2n * XRP, 30n * XRP)),
  softCapPercent: perhaps(fc.integer({ min: 1, max: 100 })),
  refundMinDrops: fc.constantFrom(1_000n, 1_000n, 20_000n),
  atEnd: fc.boolean(),
  vesting: fc.oneof(
    { weight: 2, arbitrary: fc.constant(NO_VESTING) },
    {
      weight: 1,
      arbitrary: fc.record({
        immediate_bps: fc.nat(9_999),
        cliff_days: fc.nat(3),
        period_days: fc.integer({ min: 1, max: 30 }),
        periods: fc.integer({ min: 1, max: 4 }),
      }),
    },
  ),
});

/** Random terms that the rules of creation let pass: tiers start in order, between the sale's start and its end. */
export const terms: fc.Arbitrary<Terms> = drawn.map((given) => {
  const scale = 10n ** BigInt(6 + given.decimals);
  const endsAtMs = given.endsAfterMs === null ? null : CLOSED_AT_MS + given.endsAfterMs;
  const beforeEnd = (ms: number): number => (endsAtMs === null ? ms : Math.min(ms, endsAtMs - 1));
  const startsAtMs = given.startsAfterMs === null ? null : beforeEnd(CLOSED_AT_MS + given.startsAfterMs);
  let latestMs = startsAtMs ?? 0;
  const tiers = given.tiers.map(({ totalUnits, valueDrops, access, startsAfterMs }) => {
    if (startsAfterMs !== null) latestMs = beforeEnd(Math.max(latestMs, CLOSED_AT_MS + startsAfterMs));
    return {
      // Odd prices: units cost fractions of a drop, or many drops.
      price: (valueDrops * scale) / totalUnits + 1n,
      totalUnits,
      access,
      startsAtMs: startsAfterMs === null ? null : latestMs,
    };
  });
  const valueDrops = given.tiers.reduce((sum, each) => sum + each.valueDrops, 0n);
  return {
    decimals: given.decimals,
    access: given.access,
    startsAtMs,
    endsAtMs,
    minInvestmentDrops: given.minInvestmentDrops,
    maxPerWalletDrops: given.maxPerWalletDrops,
    softCapDrops: given.softCapPercent === null ? null : (valueDrops * BigInt(given.softCapPercent)) / 100n,
    refundMinDrops: given.refundMinDrops,
    distribution: given.atEnd || given.softCapPercent !== null ? 'at_end' : 'immediate',
    vesting: { ...given.vesting },
    tiers,
  };
});
