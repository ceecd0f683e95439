import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FIRST_VESTING_PART, vestingLocks } from '../locks.ts';
import { distributionParts } from '../vesting.ts';

const DAY = 86_400_000;
const MIDNIGHT = Date.UTC(2027, 0, 1);

const owed = fc.array(
  fc.record({
    units: fc.bigInt(0n, 10n ** 15n),
    dueAtMs: fc.integer({ min: MIDNIGHT - 3 * DAY, max: MIDNIGHT + 40 * DAY }),
  }),
  { maxLength: 60 },
);
const end = fc.integer({ min: MIDNIGHT - 2 * DAY, max: MIDNIGHT + 2 * DAY });
const sum = (parts: readonly { units: bigint }[]): bigint => parts.reduce((total, { units }) => total + units, 0n);

test('locks hold exactly what is due on days that begin two days or more after the end', () => {
  fc.assert(
    fc.property(owed, end, (parts, endedAtMs) => {
      const locks = vestingLocks(parts, endedAtMs);
      const late = parts.filter(({ dueAtMs }) => dueAtMs - (dueAtMs % DAY) >= endedAtMs + 2 * DAY);
      expect(sum(locks)).toBe(sum(late));
      for (const { units, untilMs } of locks) {
        const ofDay = parts.filter(({ dueAtMs }) => dueAtMs >= untilMs && dueAtMs < untilMs + DAY);
        expect(units).toBe(sum(ofDay));
        expect(units).toBeGreaterThan(0n);
      }
    }),
  );
});

test('no lock ends after anything that it holds is due, and all begin a day', () => {
  fc.assert(
    fc.property(owed, end, (parts, endedAtMs) => {
      const ends = vestingLocks(parts, endedAtMs).map(({ untilMs }) => untilMs);
      for (const untilMs of ends) {
        expect(untilMs % DAY).toBe(0);
        expect(untilMs).toBeGreaterThanOrEqual(endedAtMs + 2 * DAY);
        expect(parts.some(({ units, dueAtMs }) => units > 0n && dueAtMs >= untilMs && dueAtMs < untilMs + DAY)).toBe(
          true,
        );
      }
    }),
  );
});

test('locks are one a day, in the order of the days, and their parts count on from the first', () => {
  fc.assert(
    fc.property(owed, end, (parts, endedAtMs) => {
      const locks = vestingLocks(parts, endedAtMs);
      const ends = locks.map(({ untilMs }) => untilMs);
      expect(ends).toEqual([...new Set(ends)].toSorted((a, b) => a - b));
      expect(locks.map(({ part }) => part)).toEqual(locks.map((_, index) => FIRST_VESTING_PART + index));
    }),
  );
});

test('the order in which parts are given changes nothing', () => {
  fc.assert(
    fc.property(
      owed.chain((parts) => fc.tuple(fc.constant(parts), fc.shuffledSubarray(parts, { minLength: parts.length }))),
      end,
      ([parts, shuffled], endedAtMs) => {
        expect(vestingLocks(shuffled, endedAtMs)).toEqual(vestingLocks(parts, endedAtMs));
      },
    ),
  );
});

test('the parts of one investment that are due at the end of the sale, or a day later, are paid from the balance', () => {
  const vesting = { immediate_bps: 2_500, cliff_days: 0, period_days: 1, periods: 3 };
  const endedAtMs = MIDNIGHT + 1;
  expect(vestingLocks(distributionParts(1_000n, vesting, endedAtMs), endedAtMs)).toEqual([
    { part: 2, units: 250n, untilMs: MIDNIGHT + 3 * DAY },
  ]);
  expect(vestingLocks(distributionParts(1_000n, vesting, MIDNIGHT), MIDNIGHT)).toEqual([
    { part: 2, units: 250n, untilMs: MIDNIGHT + 2 * DAY },
    { part: 3, units: 250n, untilMs: MIDNIGHT + 3 * DAY },
  ]);
});
