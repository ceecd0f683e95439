import { expect, test } from 'vitest';
import { marksOf } from '../../../app/(site)/sales/[slug]/raised-chart.tsx';

const token = { kind: 'iou', currency: 'DMO', issuer: 'r', decimals: 6 } as const;
const tier = (number: number) => ({ tier: number, price_per_token: '0.5', total_tokens: '200' }) as never;
const sale = { tiers: [tier(1), tier(2), tier(3)], token, soft_cap_xrp: '150.000000' };

test('the chart marks where tiers filled and the soft cap, as far as the sale has come and no further', () => {
  expect(marksOf(sale, '149.999999')).toEqual([{ name: 'tier 1 full', xrp: '100.000000' }]);
  expect(marksOf(sale, '200.000000').map(({ name }) => name)).toEqual(['tier 1 full', 'tier 2 full', 'soft cap']);
  expect(marksOf({ ...sale, soft_cap_xrp: null }, '99.000000')).toEqual([]);
});
