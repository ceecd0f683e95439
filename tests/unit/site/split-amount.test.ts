import { allocate } from '@tranche/rules/allocate.ts';
import { formatDrops, formatPrice, formatUnits, parseDecimal } from '@tranche/rules/amounts.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Offer, splitAmount } from '../../../app/(site)/sales/[slug]/split-amount.ts';

const tier = fc
  .record({
    price: fc.bigInt({ min: 1_000_000n, max: 5n * 10n ** 12n }),
    total: fc.bigInt({ min: 1n, max: 10n ** 12n }),
    soldPercent: fc.integer({ min: 0, max: 100 }),
  })
  .map(({ price, total, soldPercent }) => ({ price, total, sold: (total * BigInt(soldPercent)) / 100n }));

test('the calculator of a sale page says exactly what the rules would allocate, and every drop is in it', () => {
  fc.assert(
    fc.property(
      fc.array(tier, { minLength: 1, maxLength: 6 }),
      fc.bigInt({ min: 1n, max: 10n ** 14n }),
      fc.integer({ min: 0, max: 6 }),
      (tiers, drops, decimals) => {
        const offer: Offer = {
          at_ms: 0,
          decimals,
          refund_min_xrp: '0.001000',
          min_investment_xrp: null,
          max_per_wallet_xrp: null,
          tiers: tiers.map(({ price, total, sold }, index) => ({
            tier: index + 1,
            price_per_token: formatPrice(price),
            total_tokens: formatUnits(total, decimals),
            sold_tokens: formatUnits(sold, decimals),
            starts_at: null,
          })),
        };
        const shown = splitAmount(drops, offer);
        const states = tiers.map(({ price, total, sold }, index) => ({
          tier: index + 1,
          price,
          totalUnits: total,
          soldUnits: sold,
          listed: false,
          credential: null,
          startsAtMs: null,
          valueDrops: 0n,
          openedAtMs: null,
          completedAtMs: null,
        }));
        const buyer = { atMs: 0, admitted: true, holds: () => true, leftDrops: null, leftListedDrops: null };
        const ruled = allocate(drops, states, buyer, { decimals, refundMinDrops: 1_000n });
        expect(shown.parts.map(({ tier: number, tokens, xrp }) => ({ tier: number, tokens, xrp }))).toEqual(
          ruled.parts.map((part) => ({
            tier: part.tier,
            tokens: formatUnits(part.units, decimals),
            xrp: formatDrops(part.drops),
          })),
        );
        const paid = shown.parts.reduce((sum, { xrp }) => sum + (parseDecimal(xrp, 6) ?? 0n), 0n);
        expect(paid + (parseDecimal(shown.back, 6) ?? 0n)).toBe(drops);
      },
    ),
  );
});

test('what is below the minimum payment buys nothing, and the page says so', () => {
  const offer: Offer = {
    at_ms: 0,
    decimals: 6,
    refund_min_xrp: '0.001000',
    min_investment_xrp: '10.000000',
    max_per_wallet_xrp: null,
    tiers: [
      { tier: 1, price_per_token: '0.10', total_tokens: '1000.000000', sold_tokens: '0.000000', starts_at: null },
    ],
  };
  expect(splitAmount(9_999_999n, offer)).toMatchObject({
    parts: [],
    back: '9.999999',
    none: expect.stringContaining('minimum payment'),
  });
});

test('above what one wallet may invest goes back, with the reason', () => {
  const offer: Offer = {
    at_ms: 0,
    decimals: 6,
    refund_min_xrp: '0.001000',
    min_investment_xrp: null,
    max_per_wallet_xrp: '50.000000',
    tiers: [
      { tier: 1, price_per_token: '0.10', total_tokens: '1000.000000', sold_tokens: '0.000000', starts_at: null },
    ],
  };
  expect(splitAmount(80_000_000n, offer)).toMatchObject({ tokens: '500.000000', back: '30.000000' });
  expect(splitAmount(80_000_000n, offer).why).toContain('one wallet');
});

test('what would reach a tier that has not started yet goes back, and buys once it has', () => {
  const starts = '2027-01-01T00:00:00.000Z';
  const before: Offer = {
    at_ms: Date.parse(starts) - 1,
    decimals: 6,
    refund_min_xrp: '0.001000',
    min_investment_xrp: null,
    max_per_wallet_xrp: null,
    tiers: [
      { tier: 1, price_per_token: '0.10', total_tokens: '100.000000', sold_tokens: '0.000000', starts_at: null },
      { tier: 2, price_per_token: '0.20', total_tokens: '1000.000000', sold_tokens: '0.000000', starts_at: starts },
    ],
  };
  expect(splitAmount(30_000_000n, before)).toMatchObject({ tokens: '100.000000', back: '20.000000' });
  expect(splitAmount(30_000_000n, before).why).toContain('has not started');
  const after = { ...before, at_ms: Date.parse(starts) };
  expect(splitAmount(30_000_000n, after)).toMatchObject({ tokens: '200.000000', back: '0.000000' });
});
