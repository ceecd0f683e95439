import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costCeil, MAX_DROPS, PRICE_DECIMALS, unitsBoughtFloor } from '#lib/platform/money.ts';
import { allocate, fullRaiseDrops } from '#lib/sale/allocate.ts';
import type { TierState } from '#lib/sale/types.ts';

const REFUND_MIN = 1_000n;

const tier = (number: number, price: bigint, totalUnits: bigint, soldUnits = 0n): TierState => ({
  tier: number,
  price,
  totalUnits,
  soldUnits,
  valueDrops: 0n,
  openedAtMs: null,
  completedAtMs: null,
});

const XRP = 1_000_000n;
const PRICE_ONE = 10n ** BigInt(PRICE_DECIMALS);

/** Tiers of any price and size whose whole raise stays below all XRP there is. */
const sale = fc
  .record({
    decimals: fc.integer({ min: 0, max: 6 }),
    tiers: fc.array(
      fc.record({
        price: fc.bigInt({ min: 1n, max: 10n ** 17n }),
        total: fc.bigInt({ min: 1n, max: 10n ** 12n }),
        soldShare: fc.integer({ min: 0, max: 100 }),
      }),
      { minLength: 1, maxLength: 6 },
    ),
  })
  .map(({ decimals, tiers }) => ({
    decimals,
    // Tiers sell in order: only one is partly sold.
    tiers: tiers.map((given, place) =>
      tier(place + 1, given.price, given.total, place === 0 ? (given.total * BigInt(given.soldShare)) / 100n : 0n),
    ),
  }))
  .filter(({ tiers, decimals }) => fullRaiseDrops(tiers, decimals) <= MAX_DROPS);

const amount = fc.bigInt({ min: 1n, max: MAX_DROPS });

describe('allocate', () => {
  it('splits 250 XRP over a tier boundary to the drop', () => {
    const tiers = [tier(1, PRICE_ONE / 10n, 1_000n * XRP), tier(2, PRICE_ONE / 5n, 5_000n * XRP)];
    const result = allocate(250n * XRP, tiers, 6, REFUND_MIN);
    expect(result.parts).toEqual([
      { tier: 1, drops: 100n * XRP, units: 1_000n * XRP },
      { tier: 2, drops: 150n * XRP, units: 750n * XRP },
    ]);
    expect(result).toMatchObject({ investedDrops: 250n * XRP, refundedDrops: 0n, roundingDrops: 0n });
  });

  it('conserves every drop: received = invested + refunded, and the parts sum to what is invested', () => {
    fc.assert(
      fc.property(sale, amount, ({ tiers, decimals }, received) => {
        const result = allocate(received, tiers, decimals, REFUND_MIN);
        expect(result.investedDrops + result.refundedDrops).toBe(received);
        expect(result.parts.reduce((sum, part) => sum + part.drops, 0n)).toBe(result.investedDrops);
        expect(result.parts.reduce((sum, part) => sum + part.units, 0n)).toBe(result.totalUnits);
      }),
      { numRuns: 2_000 },
    );
  });

  it('never oversells a tier and never skips one', () => {
    fc.assert(
      fc.property(sale, amount, ({ tiers, decimals }, received) => {
        const { parts } = allocate(received, tiers, decimals, REFUND_MIN);
        for (const [place, part] of parts.entries()) {
          const bought = tiers[part.tier - 1];
          const left = (bought?.totalUnits ?? 0n) - (bought?.soldUnits ?? 0n);
          expect(part.units).toBeGreaterThan(0n);
          expect(part.units).toBeLessThanOrEqual(left);
          // Only the last part may leave something in its tier.
          if (place < parts.length - 1) expect(part.units).toBe(left);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('charges each part its cost rounded up, the last part at most the kept change more', () => {
    fc.assert(
      fc.property(sale, amount, ({ tiers, decimals }, received) => {
        const { parts, roundingDrops } = allocate(received, tiers, decimals, REFUND_MIN);
        for (const [place, part] of parts.entries()) {
          const cost = costCeil(part.units, tiers[part.tier - 1]?.price ?? 1n, decimals);
          expect(part.drops - cost).toBe(place === parts.length - 1 ? roundingDrops : 0n);
        }
        expect(roundingDrops).toBeLessThan(REFUND_MIN);
      }),
      { numRuns: 2_000 },
    );
  });

  it('gives more tokens for more XRP, never fewer', () => {
    fc.assert(
      fc.property(sale, amount, amount, ({ tiers, decimals }, a, b) => {
        const [less, more] = a < b ? [a, b] : [b, a];
        expect(allocate(less, tiers, decimals, REFUND_MIN).totalUnits).toBeLessThanOrEqual(
          allocate(more, tiers, decimals, REFUND_MIN).totalUnits,
        );
      }),
      { numRuns: 1_000 },
    );
  });

  it('leaves nobody able to buy one more unit with the change', () => {
    fc.assert(
      fc.property(sale, amount, ({ tiers, decimals }, received) => {
        const { parts, refundedDrops, roundingDrops, refundReason } = allocate(received, tiers, decimals, REFUND_MIN);
        const last = parts.at(-1);
        if (last === undefined || refundReason === 'sold_out') return;
        const rest = refundedDrops + roundingDrops;
        const bought = tiers[last.tier - 1];
        if (bought === undefined) return;
        const open = last.units === bought.totalUnits - bought.soldUnits ? tiers[last.tier] : bought;
        if (open !== undefined) expect(unitsBoughtFloor(rest, open.price, decimals)).toBe(0n);
      }),
      { numRuns: 1_000 },
    );
  });

  it('refunds what is left after the last tier', () => {
    const result = allocate(150n * XRP, [tier(1, PRICE_ONE, 100n * XRP)], 6, REFUND_MIN);
    expect(result).toMatchObject({
      investedDrops: 100n * XRP,
      refundedDrops: 50n * XRP,
      refundReason: 'sold_out',
    });
  });

  it('buys nothing with less than one unit costs, and keeps nothing', () => {
    const result = allocate(999_999n, [tier(1, PRICE_ONE, 100n)], 0, REFUND_MIN);
    expect(result).toMatchObject({ parts: [], investedDrops: 0n, refundedDrops: 999_999n });
  });
});
