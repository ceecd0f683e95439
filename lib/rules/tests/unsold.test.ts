import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reduceAll } from '../reduce.ts';
import { action, NOW, ofType, payment, projectOf, soleProject, stateOf, tierOf, XRP } from './book.ts';
import { anyFeed } from './feeds.ts';

const RUNS = { numRuns: 500 };

describe('the end of a sale in any feed', () => {
  it('says what its tiers had left to sell, and no entry after it changes that', () => {
    fc.assert(
      fc.property(anyFeed, ({ start, entries }) => {
        const { state, effects } = reduceAll(start, entries);
        const project = soleProject(state);
        const left = project.tiers.reduce((sum, tier) => sum + tier.totalUnits - tier.soldUnits, 0n);
        for (const { unsoldUnits } of ofType(effects, 'sale_ended')) {
          expect(unsoldUnits).toBe(project.status === 'completed' ? left : 0n);
        }
      }),
      RUNS,
    );
  });

  it('leaves nothing over: what was sold and what was not are together what the tiers hold', () => {
    fc.assert(
      fc.property(anyFeed, ({ start, entries }) => {
        const { state, effects } = reduceAll(start, entries);
        const project = soleProject(state);
        fc.pre(project.status === 'completed');
        const sold = ofType(effects, 'invested').reduce((sum, { totalUnits }) => sum + totalUnits, 0n);
        const unsold = ofType(effects, 'sale_ended').reduce((sum, { unsoldUnits }) => sum + unsoldUnits, 0n);
        expect(sold + unsold).toBe(project.tiers.reduce((sum, { totalUnits }) => sum + totalUnits, 0n));
      }),
      RUNS,
    );
  });
});

const CAPPED = { softCapDrops: 50n * XRP, endsAtMs: NOW };
const TIERS = [tierOf(1, { totalUnits: 100n * 10n ** 6n }), tierOf(2, { totalUnits: 7n })];
const unsoldOf = (...given: Parameters<typeof reduceAll>) =>
  ofType(reduceAll(...given).effects, 'sale_ended').map(({ unsoldUnits }) => unsoldUnits);

describe('what is unsold', () => {
  it('counts tiers that never opened, to the unit', () => {
    const [sold, unsold] = [10n * 10n ** 6n, 90n * 10n ** 6n + 7n];
    const { state } = reduceAll(stateOf(projectOf({ tiers: TIERS })), [payment(XRP)]);
    expect(soleProject(state).tiers[0]?.soldUnits).toBe(sold);
    expect(unsoldOf(state, [action('end')])).toEqual([unsold]);
  });

  it('is nothing when all was sold', () => {
    expect(unsoldOf(stateOf(projectOf({ softCapDrops: 600n * XRP })), [payment(600n * XRP)])).toEqual([0n]);
  });

  it('is nothing when the soft cap is missed: then nothing was sold at all', () => {
    expect(unsoldOf(stateOf(projectOf(CAPPED)), [payment(XRP), { kind: 'close', closedAtMs: NOW + 1 }])).toEqual([0n]);
  });

  it('does not count a payment that comes after the end', () => {
    const late = payment(XRP, { closedAtMs: NOW + 1 });
    expect(unsoldOf(stateOf(projectOf({ tiers: TIERS, endsAtMs: NOW })), [late])).toEqual([100n * 10n ** 6n + 7n]);
  });
});
