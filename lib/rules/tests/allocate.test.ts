import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allocate, type Buyer, fullRaiseDrops } from '../allocate.ts';
import { costCeil, MAX_DROPS, unitsBoughtFloor } from '../amounts.ts';
import type { CredentialRequirement } from '../credentials.ts';
import type { TierState } from '../types.ts';
import { NOW, PRICE_ONE, REFUND_MIN, tierOf, XRP } from './book.ts';

const RUNS = { numRuns: 2_000 };
const ANYBODY: Buyer = { atMs: NOW, admitted: true, holds: () => true, leftDrops: null, leftListedDrops: null };

const rules = (decimals: number) => ({ decimals, refundMinDrops: REFUND_MIN });

const amount = fc.oneof(
  fc.bigInt({ min: 1n, max: MAX_DROPS }),
  fc.bigInt({ min: 1n, max: 2n * REFUND_MIN }),
  fc.bigInt({ min: 1n, max: 1_000n * XRP }),
);

/** Tiers of any price, size, access and start whose whole raise stays below all XRP there is. */
const sale = fc
  .record({
    decimals: fc.integer({ min: 0, max: 6 }),
    tiers: fc.array(
      fc.record({
        price: fc.oneof(fc.bigInt({ min: 1n, max: 10n ** 17n }), fc.bigInt({ min: 10n ** 9n, max: 10n ** 13n })),
        total: fc.bigInt({ min: 1n, max: 10n ** 12n }),
        soldShare: fc.integer({ min: 0, max: 100 }),
        listed: fc.boolean(),
        credential: fc.constantFrom<CredentialRequirement | null>(null, {
          credential_type: '4B5943',
          issuers: ['rIssuer'],
        }),
        startsAtMs: fc.constantFrom(null, null, NOW - 1, NOW, NOW + 1),
      }),
      { minLength: 1, maxLength: 6 },
    ),
  })
  .map(({ decimals, tiers }) => ({
    decimals,
    // Tiers sell in order: only one is partly sold.
    tiers: tiers.map(({ price, total, soldShare, listed, credential, startsAtMs }, index) =>
      tierOf(index + 1, {
        price,
        totalUnits: total,
        soldUnits: index === 0 ? (total * BigInt(soldShare)) / 100n : 0n,
        listed,
        credential,
        startsAtMs,
      }),
    ),
  }))
  .filter(({ tiers, decimals }) => fullRaiseDrops(tiers, decimals) <= MAX_DROPS);

/** What is left may be below zero: kept change carries a wallet past its limit. */
const left = fc.option(fc.oneof(fc.bigInt({ min: -REFUND_MIN, max: REFUND_MIN }), amount));
const buyer = fc.record({
  atMs: fc.constant(NOW),
  admitted: fc.boolean(),
  holds: fc.boolean().map((held) => () => held),
  leftDrops: left,
  leftListedDrops: left,
});

const sumOf = (drops: readonly bigint[]): bigint => drops.reduce((sum, each) => sum + each, 0n);
const listedTiers = (tiers: readonly TierState[]) =>
  new Set(tiers.filter((tier) => tier.listed).map((tier) => tier.tier));

describe('allocate, for any tiers, any buyer and any amount up to all XRP there is', () => {
  it('conserves every drop: received = invested + refunded, and the parts sum to what is invested', () => {
    fc.assert(
      fc.property(sale, buyer, amount, ({ tiers, decimals }, who, received) => {
        const result = allocate(received, tiers, who, rules(decimals));
        expect(result.investedDrops + result.refundedDrops).toBe(received);
        expect(result.refundedDrops).toBeGreaterThanOrEqual(0n);
        expect(sumOf(result.parts.map((part) => part.drops))).toBe(result.investedDrops);
        expect(sumOf(result.parts.map((part) => part.units))).toBe(result.totalUnits);
      }),
      RUNS,
    );
  });

  it('never oversells a tier, never skips one, and never sells what the buyer may not have', () => {
    fc.assert(
      fc.property(sale, buyer, amount, ({ tiers, decimals }, who, received) => {
        const { parts } = allocate(received, tiers, who, rules(decimals));
        const unsold = tiers.filter((tier) => tier.soldUnits < tier.totalUnits);
        for (const [index, part] of parts.entries()) {
          const bought = unsold[index];
          const leftUnits = (bought?.totalUnits ?? 0n) - (bought?.soldUnits ?? 0n);
          expect(part.tier).toBe(bought?.tier);
          expect(part.units).toBeGreaterThan(0n);
          expect(part.units).toBeLessThanOrEqual(leftUnits);
          if (index < parts.length - 1) expect(part.units).toBe(leftUnits);
          expect(bought?.startsAtMs ?? NOW).toBeLessThanOrEqual(NOW);
          if (bought?.listed) expect(who.admitted).toBe(true);
          if (bought?.credential) expect(who.holds()).toBe(true);
        }
      }),
      RUNS,
    );
  });

  it('charges each part its cost rounded up, and the last one at most the kept change more', () => {
    fc.assert(
      fc.property(sale, buyer, amount, ({ tiers, decimals }, who, received) => {
        const { parts, roundingDrops } = allocate(received, tiers, who, rules(decimals));
        for (const [index, part] of parts.entries()) {
          const cost = costCeil(part.units, tiers[part.tier - 1]?.price ?? 1n, decimals);
          expect(part.drops - cost).toBe(index === parts.length - 1 ? roundingDrops : 0n);
        }
        expect(roundingDrops).toBeGreaterThanOrEqual(0n);
        expect(roundingDrops).toBeLessThan(REFUND_MIN);
      }),
      RUNS,
    );
  });

  it('passes no limit but by kept change, and none at all where nothing was left', () => {
    fc.assert(
      fc.property(sale, buyer, amount, ({ tiers, decimals }, who, received) => {
        const { parts, investedDrops } = allocate(received, tiers, who, rules(decimals));
        const listed = listedTiers(tiers);
        const listedDrops = sumOf(parts.filter((part) => listed.has(part.tier)).map((part) => part.drops));
        for (const [spent, limit] of [
          [investedDrops, who.leftDrops],
          [listedDrops, who.leftListedDrops],
        ] as const) {
          if (limit === null) continue;
          if (limit <= 0n) expect(spent).toBe(0n);
          else expect(spent).toBeLessThanOrEqual(limit + REFUND_MIN - 1n);
        }
      }),
      RUNS,
    );
  });

  it('gives more tokens for more XRP, never fewer', () => {
    fc.assert(
      fc.property(sale, buyer, amount, amount, ({ tiers, decimals }, who, a, b) => {
        const [less, more] = a < b ? [a, b] : [b, a];
        expect(allocate(less, tiers, who, rules(decimals)).totalUnits).toBeLessThanOrEqual(
          allocate(more, tiers, who, rules(decimals)).totalUnits,
        );
      }),
      RUNS,
    );
  });

  it('gives nobody a unit for splitting a payment in two', () => {
    fc.assert(
      fc.property(sale, amount, amount, ({ tiers, decimals }, a, b) => {
        const whole = allocate(a + b, tiers, ANYBODY, rules(decimals));
        const first = allocate(a, tiers, ANYBODY, rules(decimals));
        const soldTo = new Map(first.parts.map((part) => [part.tier, part.units]));
        const after = tiers.map((tier) => ({ ...tier, soldUnits: tier.soldUnits + (soldTo.get(tier.tier) ?? 0n) }));
        const second = allocate(b, after, ANYBODY, rules(decimals));
        expect(first.totalUnits + second.totalUnits).toBeLessThanOrEqual(whole.totalUnits);
      }),
      RUNS,
    );
  });

  it('gives the change back only when it buys no further unit', () => {
    fc.assert(
      fc.property(sale, amount, ({ tiers, decimals }, received) => {
        const { parts, refundedDrops, roundingDrops, stoppedBy } = allocate(received, tiers, ANYBODY, rules(decimals));
        const last = parts.at(-1);
        if (last === undefined || stoppedBy !== 'change') return;
        const bought = tiers[last.tier - 1];
        const open = last.units === (bought?.totalUnits ?? 0n) - (bought?.soldUnits ?? 0n) ? tiers[last.tier] : bought;
        expect(unitsBoughtFloor(refundedDrops + roundingDrops, open?.price ?? 1n, decimals)).toBe(0n);
      }),
      RUNS,
    );
  });

  it('says what ended the buying by the first obstacle in tier order', () => {
    fc.assert(
      fc.property(sale, buyer, amount, ({ tiers, decimals }, who, received) => {
        const { parts, totalUnits, stoppedBy } = allocate(received, tiers, who, rules(decimals));
        const unsold = tiers.filter((tier) => tier.soldUnits < tier.totalUnits);
        const full = parts.filter(
          (part, index) => part.units === (unsold[index]?.totalUnits ?? 0n) - (unsold[index]?.soldUnits ?? 0n),
        ).length;
        const obstacle = unsold[full];
        const { totalUnits: asHolder } = allocate(received, tiers, { ...who, holds: () => true }, rules(decimals));
        if (obstacle === undefined) expect(stoppedBy).toBe('sold_out');
        else if (NOW < (obstacle.startsAtMs ?? 0)) expect(stoppedBy).toBe('between_tiers');
        else if (obstacle.listed && !who.admitted) expect(stoppedBy).toBe('not_admitted');
        // What buys nothing there in any case depends on no credential.
        else if (obstacle.credential !== null && !who.holds() && asHolder > totalUnits)
          expect(stoppedBy).toBe('not_admitted');
        else {
          const { totalUnits: unlimited } = allocate(
            received,
            tiers,
            { ...ANYBODY, admitted: who.admitted, holds: () => true },
            rules(decimals),
          );
          expect(stoppedBy).toBe(unlimited > totalUnits ? 'above_wallet_cap' : 'change');
        }
      }),
      RUNS,
    );
  });
});

describe('allocate', () => {
  it('splits 250 XRP over a tier boundary to the drop', () => {
    const tiers = [
      tierOf(1, { price: PRICE_ONE / 10n, totalUnits: 1_000n * XRP }),
      tierOf(2, { price: PRICE_ONE / 5n, totalUnits: 5_000n * XRP }),
    ];
    const result = allocate(250n * XRP, tiers, ANYBODY, rules(6));
    expect(result.parts).toEqual([
      { tier: 1, drops: 100n * XRP, units: 1_000n * XRP },
      { tier: 2, drops: 150n * XRP, units: 750n * XRP },
    ]);
    expect(result).toMatchObject({ investedDrops: 250n * XRP, refundedDrops: 0n, roundingDrops: 0n });
  });

  it('sells all XRP there is, to the drop, at the lowest price and the finest unit', () => {
    const tiers = [
      tierOf(1, { price: 1n, totalUnits: 10n ** 15n }),
      tierOf(2, { price: 10n ** 20n, totalUnits: 10n ** 15n }),
    ];
    const result = allocate(MAX_DROPS, tiers, ANYBODY, rules(6));
    // 10^9 tokens at 10^-12 XRP cost 1,000 drops; 10^20 / 10^12 XRP a token are 10^8 drops a unit.
    expect(result.parts).toEqual([
      { tier: 1, drops: 1_000n, units: 10n ** 15n },
      { tier: 2, drops: MAX_DROPS - 1_000n - result.refundedDrops, units: 999_999_999n },
    ]);
    expect(result.investedDrops + result.refundedDrops).toBe(MAX_DROPS);
  });

  it('refunds what is left after the last tier', () => {
    const tiers = [tierOf(1, { price: PRICE_ONE, totalUnits: 100n * XRP })];
    expect(allocate(150n * XRP, tiers, ANYBODY, rules(6))).toMatchObject({
      investedDrops: 100n * XRP,
      refundedDrops: 50n * XRP,
      stoppedBy: 'sold_out',
    });
  });

  it.each([
    [REFUND_MIN - 1n, { roundingDrops: REFUND_MIN - 1n, refundedDrops: 0n }],
    [REFUND_MIN, { roundingDrops: 0n, refundedDrops: REFUND_MIN }],
  ])('keeps change of %d drops or gives it back as the terms say', (change, expected) => {
    const tiers = [tierOf(1, { price: PRICE_ONE, totalUnits: 100n })];
    expect(allocate(XRP + change, tiers, ANYBODY, rules(0))).toMatchObject({ totalUnits: 1n, ...expected });
  });

  it('buys nothing with less than one unit costs, and keeps nothing', () => {
    const tiers = [tierOf(1, { price: PRICE_ONE, totalUnits: 100n })];
    expect(allocate(999_999n, tiers, ANYBODY, rules(0))).toMatchObject({
      parts: [],
      investedDrops: 0n,
      refundedDrops: 999_999n,
      stoppedBy: 'change',
    });
  });
});
