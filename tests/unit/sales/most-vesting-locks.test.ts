import { vestingLocks } from '@tranche/rules/locks.ts';
import { distributionParts } from '@tranche/rules/vesting.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mostVestingLocks } from '#lib/sales/projects/check-vesting-locked.ts';

const DAY_MS = 86_400_000;
const NOW = Date.parse('2028-02-27T13:00:00Z');
const vestingOf = (cliff_days: number, period_days: number, periods: number) => ({
  immediate_bps: 0,
  cliff_days,
  period_days,
  periods,
});
const termOf = (
  distribution: 'immediate' | 'at_end',
  days: number,
  over: { startsAt?: Date; periods?: number } = {},
) => ({
  vesting: vestingOf(10, 30, over.periods ?? 12),
  distribution,
  startsAt: over.startsAt ?? null,
  endsAt: new Date(NOW + days * DAY_MS),
});

describe('the most locks that a sale can need for its vesting', () => {
  it('is never less than it needs, whenever its investors pay', () => {
    const sale = fc.record({
      cliff: fc.integer({ min: 0, max: 20 }),
      period: fc.integer({ min: 1, max: 40 }),
      periods: fc.integer({ min: 1, max: 12 }),
      startsInMs: fc.integer({ min: -3 * DAY_MS, max: 3 * DAY_MS }),
      lastsMs: fc.integer({ min: 1, max: 30 * DAY_MS }),
      paidAt: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 60 }),
    });
    fc.assert(
      fc.property(sale, fc.constantFrom('immediate', 'at_end'), (given, distribution) => {
        const vesting = vestingOf(given.cliff, given.period, given.periods);
        const startsAtMs = NOW + given.startsInMs;
        const endsAtMs = NOW + 3 * DAY_MS + given.lastsMs;
        const opensAtMs = Math.max(startsAtMs, NOW);
        const term = { vesting, distribution, startsAt: new Date(startsAtMs), endsAt: new Date(endsAtMs) };
        const bases = given.paidAt.map((part) =>
          distribution === 'at_end' ? endsAtMs : Math.floor(opensAtMs + part * (endsAtMs - opensAtMs)),
        );
        // Ended at once, so that not a day is left out for being too soon.
        const owed = bases.flatMap((baseMs) => distributionParts(1_000n, vesting, baseMs));
        expect(vestingLocks(owed, Number.MIN_SAFE_INTEGER).length).toBeLessThanOrEqual(mostVestingLocks(term, NOW));
      }),
      { numRuns: 500 },
    );
  });

  it('is the number of periods when all is counted from the end', () => {
    expect(mostVestingLocks(termOf('at_end', 60), NOW)).toBe(12);
  });

  it('is that number for each day on which the sale can sell, the last one with it', () => {
    expect(mostVestingLocks(termOf('immediate', 6), NOW)).toBe(7 * 12);
    expect(mostVestingLocks(termOf('immediate', 6, { startsAt: new Date(NOW + 4 * DAY_MS) }), NOW)).toBe(3 * 12);
    expect(mostVestingLocks(termOf('immediate', 6, { startsAt: new Date(0) }), NOW)).toBe(7 * 12);
  });

  it('counts a day on which two periods are due once', () => {
    expect(mostVestingLocks(termOf('immediate', 59), NOW)).toBe(60 + 11 * 30);
  });

  it('is none without an end or without periods', () => {
    expect(mostVestingLocks({ ...termOf('at_end', 1), endsAt: null }, NOW)).toBe(0);
    expect(mostVestingLocks(termOf('at_end', 1, { periods: 0 }), NOW)).toBe(0);
  });
});
