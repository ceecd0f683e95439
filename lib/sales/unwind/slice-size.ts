import type { Vesting } from '@tranche/rules/vesting.ts';

/** Investments of one transaction. */
const MAX_INVESTMENTS = 2_000;
/** Rows of `payouts` that one transaction locks or writes: a long vesting makes many of each investment. */
const MAX_PARTS = 20_000;

/** How many investments of a sale are planned or unwound in one transaction. */
export const investmentsPerSlice = (vesting: Vesting): number =>
  Math.max(1, Math.min(MAX_INVESTMENTS, Math.floor(MAX_PARTS / (vesting.periods + 1))));
