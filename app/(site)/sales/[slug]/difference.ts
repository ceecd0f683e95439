import { formatDecimal, parseDecimal } from '@tranche/rules/amounts.ts';

const WIRE_DECIMALS = 6;

/** `a - b` of two wire amounts, exact. */
export const differenceOf = (a: string, b: string): string =>
  formatDecimal((parseDecimal(a, WIRE_DECIMALS) ?? 0n) - (parseDecimal(b, WIRE_DECIMALS) ?? 0n), WIRE_DECIMALS);
