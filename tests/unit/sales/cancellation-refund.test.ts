import { cancellationRefundFloor } from '@tranche/rules/cancellation-refund.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { investmentsPerSlice } from '#lib/sales/sale-slices.ts';

const investment = fc
  .record({
    investedDrops: fc.bigInt({ min: 1n, max: 10n ** 17n }),
    totalUnits: fc.bigInt({ min: 1n, max: 10n ** 15n }),
    share: fc.bigInt({ min: 0n, max: 1_000n }),
  })
  .map(({ share, ...rest }) => ({ ...rest, distributedUnits: (rest.totalUnits * share) / 1_000n }));
const minimum = fc.bigInt({ min: 1n, max: 10n ** 9n });

describe('what a cancelled sale gives back', () => {
  it('is all of it without a distributed unit, nothing with all of them, and never more than was invested', () => {
    fc.assert(
      fc.property(investment, minimum, (given, refundMinDrops) => {
        const { refundedDrops, heldDrops } = cancellationRefundFloor(given, refundMinDrops);
        const back = refundedDrops + heldDrops;
        if (given.distributedUnits === 0n) expect(back).toBe(given.investedDrops);
        else if (given.distributedUnits === given.totalUnits) expect(back).toBe(0n);
        expect(back >= 0n && back <= given.investedDrops).toBe(true);
      }),
    );
  });

  it('never falls short of the undistributed share by a whole drop, and never exceeds it', () => {
    fc.assert(
      fc.property(investment, minimum, (given, refundMinDrops) => {
        const { refundedDrops, heldDrops } = cancellationRefundFloor(given, refundMinDrops);
        const exact = given.investedDrops * (given.totalUnits - given.distributedUnits);
        const short = exact - (refundedDrops + heldDrops) * given.totalUnits;
        expect(short >= 0n && short < given.totalUnits).toBe(true);
      }),
    );
  });

  it('is sent from the smallest refund on, and held below it', () => {
    const given = { investedDrops: 1_000n, totalUnits: 3n, distributedUnits: 1n };
    expect(cancellationRefundFloor(given, 666n)).toEqual({ refundedDrops: 666n, heldDrops: 0n });
    expect(cancellationRefundFloor(given, 667n)).toEqual({ refundedDrops: 0n, heldDrops: 666n });
  });
});

describe('a slice', () => {
  it.each([
    [0, 2_000],
    [9, 2_000],
    [19, 1_000],
    [9_999, 2],
    [100_000, 1],
  ])('of a vesting of %i periods takes %i investments', (periods, investments) => {
    expect(investmentsPerSlice({ immediate_bps: 0, cliff_days: 0, period_days: 1, periods })).toBe(investments);
  });
});
