import { describe, expect, it } from 'vitest';
import { reduceAll } from '../reduce.ts';
import type { Effect } from '../types.ts';
import { NOW, ofType, payment, projectOf, stateOf, tierOf, typesOf, XRP } from './book.ts';

const namesOf = (effects: readonly Effect[]) =>
  ofType(effects, 'milestone').map(({ milestone }) =>
    milestone.kind === 'progress' ? milestone.percent : milestone.kind,
  );

describe('milestones', () => {
  it('come with the payment that reaches them to the drop, and not one drop earlier', () => {
    // All of it costs 600 XRP: 25 percent are 150.
    const { effects } = reduceAll(stateOf(projectOf()), [payment(150n * XRP - 1n), payment(1n), payment(1n)]);
    expect(ofType(effects, 'milestone')).toMatchObject([
      { milestone: { kind: 'progress', percent: 25 }, raisedDrops: 150n * XRP, tiersCompleted: 1, reachedAtMs: NOW },
    ]);
  });

  it('come once each, in order, in whatever steps the sale fills', () => {
    const all = [25, 50, 75];
    for (const step of [7n * XRP, 150n * XRP, 200n * XRP, 450n * XRP, 600n * XRP]) {
      const payments = Array.from({ length: Number((600n * XRP) / step) + 1 }, () => payment(step));
      expect(namesOf(reduceAll(stateOf(projectOf()), payments).effects)).toEqual(all);
    }
  });

  it('tell of the soft cap once, beside the percentage that the same payment reaches', () => {
    const capped = projectOf({ softCapDrops: 300n * XRP });
    const { effects } = reduceAll(stateOf(capped), [payment(100n * XRP), payment(200n * XRP), payment(300n * XRP)]);
    expect(namesOf(effects)).toEqual([25, 50, 'soft_cap', 75]);
  });

  it('stand after the investment and before the tiers and the end that it brings', () => {
    const { effects } = reduceAll(stateOf(projectOf({ tiers: [tierOf(1)] })), [payment(100n * XRP)]);
    expect(typesOf(effects)).toEqual([
      'invested',
      'milestone',
      'milestone',
      'milestone',
      'tier_completed',
      'sale_ended',
    ]);
  });

  it('are reached by payments alone: no refusal reaches one', () => {
    const { effects } = reduceAll(stateOf(projectOf({ minInvestmentDrops: 1_000n * XRP })), [payment(600n * XRP)]);
    expect(namesOf(effects)).toEqual([]);
  });
});
