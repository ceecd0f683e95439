import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distributionParts, immediateUnitsFloor, type Vesting } from '../vesting.ts';
import { T0 } from './book.ts';

const DAY = 86_400_000;
const AT_ONCE: Vesting = { immediate_bps: 10_000, cliff_days: 0, period_days: 0, periods: 0 };

const vesting = fc.record({
  immediate_bps: fc.integer({ min: 0, max: 10_000 }),
  cliff_days: fc.integer({ min: 0, max: 3_650 }),
  period_days: fc.integer({ min: 1, max: 365 }),
  periods: fc.integer({ min: 0, max: 60 }),
});
const total = fc.oneof(fc.bigInt({ min: 1n, max: 10n ** 15n }), fc.bigInt({ min: 1n, max: 100n }));

describe('the parts of a distribution', () => {
  it('sum to the whole, are positive, and count from 1 in the order in which they fall due', () => {
    fc.assert(
      fc.property(total, vesting, (units, terms) => {
        const parts = distributionParts(units, terms, T0);
        expect(parts.reduce((sum, part) => sum + part.units, 0n)).toBe(units);
        expect(parts.every((part) => part.units > 0n)).toBe(true);
        expect(parts.map((part) => part.part)).toEqual(parts.map((_, index) => index + 1));
        expect(parts.map((part) => part.dueAtMs)).toEqual(parts.map((part) => part.dueAtMs).toSorted((a, b) => a - b));
      }),
      { numRuns: 2_000 },
    );
  });

  it('bring at once exactly what is announced as due at once', () => {
    fc.assert(
      fc.property(total, vesting, (units, terms) => {
        const atOnce = distributionParts(units, terms, T0).filter((part) => part.dueAtMs === T0);
        expect(atOnce.reduce((sum, part) => sum + part.units, 0n)).toBe(immediateUnitsFloor(units, terms));
      }),
      { numRuns: 1_000 },
    );
  });

  it('differ by one unit at most, but for what is due at once', () => {
    fc.assert(
      fc.property(total, vesting, (units, terms) => {
        const later = distributionParts(units, terms, T0).filter((part) => part.dueAtMs > T0);
        const sizes = later.map((part) => part.units).toSorted((a, b) => (a < b ? -1 : 1));
        expect((sizes.at(-1) ?? 0n) - (sizes[0] ?? 0n)).toBeLessThanOrEqual(1n);
      }),
      { numRuns: 1_000 },
    );
  });

  it('are one without vesting', () => {
    expect(distributionParts(1_000n, AT_ONCE, T0)).toEqual([{ part: 1, units: 1_000n, dueAtMs: T0 }]);
  });

  it('are one where no period would ever bring the rest: nothing is lost', () => {
    const terms = { ...AT_ONCE, immediate_bps: 2_500 };
    expect(distributionParts(1_000n, terms, T0)).toEqual([{ part: 1, units: 1_000n, dueAtMs: T0 }]);
    expect(immediateUnitsFloor(1_000n, terms)).toBe(1_000n);
  });

  it('fall due period by period after the cliff', () => {
    const terms = { immediate_bps: 1_000, cliff_days: 90, period_days: 30, periods: 3 };
    expect(distributionParts(1_001n, terms, T0)).toEqual([
      { part: 1, units: 100n, dueAtMs: T0 },
      { part: 2, units: 300n, dueAtMs: T0 + 120 * DAY },
      { part: 3, units: 300n, dueAtMs: T0 + 150 * DAY },
      { part: 4, units: 301n, dueAtMs: T0 + 180 * DAY },
    ]);
  });

  it('leave out those without a unit', () => {
    const terms = { immediate_bps: 0, cliff_days: 0, period_days: 30, periods: 4 };
    expect(distributionParts(2n, terms, T0)).toEqual([
      { part: 1, units: 1n, dueAtMs: T0 + 60 * DAY },
      { part: 2, units: 1n, dueAtMs: T0 + 120 * DAY },
    ]);
  });
});
