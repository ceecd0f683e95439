import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boughtOf, placeOf, stairsOf } from '../../../app/(site)/sales/[slug]/staircase.ts';

const tierOf = (tier: number, price: string, total: number, sold: number) =>
  ({ tier, price_per_token: price, total_tokens: `${total}.000000`, sold_tokens: `${sold}.000000` }) as never;
const sale = { tiers: [tierOf(1, '0.1', 100, 100), tierOf(2, '0.2', 300, 150), tierOf(3, '0.4', 600, 0)] };

test('a tier is as wide as its tokens and as high as its price: one of two thirds of a percent fills no half of the picture', () => {
  const [small, large] = stairsOf({ tiers: [tierOf(1, '1', 66, 66), tierOf(2, '2', 9_934, 0)] });
  expect(small).toEqual({ tier: 1, x: 0, width: 0.0066, sold: 0.0066, height: 0.5 });
  expect(large).toMatchObject({ x: 0.0066, sold: 0, height: 1 });
  expect((large?.x ?? 0) + (large?.width ?? 0)).toBeCloseTo(1, 12);
});

test('the next payment is placed after what is sold, at the edges too', () => {
  const stairs = stairsOf(sale);
  expect(placeOf(stairs, 2)).toBeCloseTo(0.25, 12);
  // Nothing sold yet; a tier that is full makes the next one begin at its edge; nothing sells any more.
  expect(placeOf(stairsOf({ tiers: [tierOf(1, '1', 10, 0)] }), 1)).toBe(0);
  expect(placeOf(stairs, 3)).toBeCloseTo(0.4, 12);
  expect(placeOf(stairs, null)).toBeNull();
  expect(placeOf(stairsOf({ tiers: [tierOf(1, '1', 10, 10)] }), 1)).toBe(1);
});

test('what an amount buys begins at that place and goes on through the tiers that it reaches', () => {
  const stairs = stairsOf(sale);
  const part = (tier: number, tokens: string) => ({ tier, tokens, price: '1', xrp: '1' });
  const bought = boughtOf(sale, stairs, { parts: [part(2, '150.000000'), part(3, '60.000000')] });
  expect(bought.map(({ tier }) => tier)).toEqual([2, 3]);
  expect(bought[0]?.x).toBeCloseTo(0.25, 12);
  expect((bought[0]?.x ?? 0) + (bought[0]?.width ?? 0)).toBeCloseTo(0.4, 12);
  expect((bought[1]?.x ?? 0) + (bought[1]?.width ?? 0)).toBeCloseTo(0.46, 12);
  expect(boughtOf(sale, stairs, { parts: [] })).toEqual([]);
});

test('of any sale the stairs stand side by side over the whole width, and no part leaves its stair', () => {
  const tiers = fc.array(
    fc.record({
      price: fc.integer({ min: 1, max: 10 ** 9 }),
      total: fc.integer({ min: 1, max: 10 ** 12 }),
      sold: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
    { minLength: 1, maxLength: 50 },
  );
  fc.assert(
    fc.property(tiers, (given) => {
      const rows = given.map(({ price, total, sold }, index) =>
        tierOf(index + 1, `${price}`, total, Math.floor(total * sold)),
      );
      const stairs = stairsOf({ tiers: rows });
      let x = 0;
      for (const stair of stairs) {
        expect(stair.x).toBeCloseTo(x, 9);
        expect(stair.sold).toBeLessThanOrEqual(stair.width);
        expect(stair.height).toBeGreaterThan(0);
        expect(stair.height).toBeLessThanOrEqual(1);
        x += stair.width;
      }
      expect(x).toBeCloseTo(1, 9);
    }),
  );
});
