import { expect, test } from 'vitest';
import { fromStart, marksOf, sampled } from '../../../app/(site)/sales/[slug]/raised-chart.tsx';

const token = { kind: 'iou', currency: 'DMO', issuer: 'r', decimals: 6 } as const;
const tier = (number: number) => ({ tier: number, price_per_token: '0.5', total_tokens: '200' }) as never;
const sale = {
  tiers: [tier(1), tier(2), tier(3)],
  token,
  soft_cap_xrp: '150.000000',
  starts_at: null,
  launched_at: '2026-11-20T00:00:00.000Z',
};

test('the chart marks the soft cap, also while it is ahead, and where tiers filled as far as the sale has come', () => {
  expect(marksOf(sale, '149.999999')).toEqual([
    { name: 'Soft cap', xrp: '150.000000' },
    { name: 'Tier 1 full', xrp: '100.000000' },
  ]);
  expect(marksOf(sale, '200.000000').map(({ name }) => name)).toEqual(['Soft cap', 'Tier 2 full', 'Tier 1 full']);
  expect(marksOf({ ...sale, soft_cap_xrp: null }, '99.000000')).toEqual([]);
});

test('the chart begins with nothing when the sale began, and with the first payment where that is not known', () => {
  const points = [{ at: '2026-11-21T00:00:00.000Z', raised_xrp: '5.000000', investments: 1 }];
  const nothing = { raised_xrp: '0.000000', investments: 0 };
  expect(fromStart(sale, points)).toEqual([{ at: sale.launched_at, ...nothing }, ...points]);
  const late = { ...sale, starts_at: '2026-11-20T12:00:00.000Z' };
  expect(fromStart(late, points)[0]).toEqual({ at: late.starts_at, ...nothing });
  expect(fromStart({ ...sale, launched_at: null }, points)).toEqual(points);
  // A clock of ours that runs ahead of the ledger's.
  expect(fromStart({ ...sale, launched_at: '2026-11-22T00:00:00.000Z' }, points)).toEqual(points);
  expect(fromStart(sale, [])).toEqual([]);
});

test('a long table keeps its first and last row', () => {
  const rows = Array.from({ length: 96 }, (_, index) => index);
  const kept = sampled(rows, 12);
  expect([kept.length, new Set(kept).size, kept[0], kept.at(-1)]).toEqual([12, 12, 0, 95]);
  expect(sampled([1, 2], 12)).toEqual([1, 2]);
});
