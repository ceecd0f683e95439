import { expect, test } from 'vitest';
import { stripOf } from '../../../app/(site)/_ui/tier-strip.tsx';

const tier = (price_per_token: string, total_tokens: string, sold_tokens: string) =>
  ({ price_per_token, total_tokens, sold_tokens }) as never;
const token = { kind: 'iou', currency: 'DMO', issuer: 'r', decimals: 6 } as const;
const sale = (tiers: never[]) => stripOf({ tiers, token, progress: { progress_percentage: 12 } as never });

test('a tier is as wide as its share of what the whole sale brings: one of a hundredth does not fill half of the bar', () => {
  const [small, large] = sale([tier('0.1', '1000', '1000'), tier('0.99', '10000', '0')]);
  expect(small?.width).toBeCloseTo(0.992, 3);
  expect(small?.filled).toBe(small?.width);
  expect(large?.filled).toBe(0);
  expect((large?.x ?? 0) + (large?.width ?? 0)).toBeCloseTo(100, 3);
});

test('tiers too many to be told apart are one bar of what was raised', () => {
  expect(sale(Array.from({ length: 21 }, () => tier('1', '10', '0')))).toEqual([{ x: 0, width: 100, filled: 12 }]);
});
