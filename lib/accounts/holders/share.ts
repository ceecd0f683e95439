import { parseExact, ratioHalfUp } from '@tranche/rules/exact-decimal.ts';

/** Decimals of every share and of the Gini coefficient. */
export const RATIO_DIGITS = 6;

/** The part of `supply` that `balance` is, both in tokens, to six decimals, a half rounded up. Supply is above zero. */
export const shareOf = (balance: string, supply: string): number =>
  ratioHalfUp(parseExact(balance), parseExact(supply), RATIO_DIGITS);
