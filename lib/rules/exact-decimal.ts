import { divideFloor, type TokenUnits } from './amounts.ts';

/** `mantissa × 10^exponent`: any decimal that the ledger or Postgres writes, exact. */
export interface ExactDecimal {
  mantissa: bigint;
  exponent: number;
}

/** Reads a decimal, with or without a sign and an exponent. Throws for anything else. */
export function parseExact(text: string): ExactDecimal {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text);
  if (match === null) throw new Error(`Not an amount of the ledger: ${text}`);
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const magnitude = BigInt(whole + fraction);
  return { mantissa: sign === '-' ? -magnitude : magnitude, exponent: Number(exponent) - fraction.length };
}

/**
 * An issued-currency value as the ledger writes it (large and small ones with an exponent: a limit of 100 billion comes as
 * "1000000000000000e-4"), in units of 10^-decimals, rounded down. Exact: no floating point.
 */
export function parseLedgerValue(text: string, decimals: number): TokenUnits {
  const value = parseExact(text);
  const shift = value.exponent + decimals;
  return shift >= 0 ? value.mantissa * 10n ** BigInt(shift) : divideFloor(value.mantissa, 10n ** BigInt(-shift));
}

/** Both as integers of one scale. */
function aligned(a: ExactDecimal, b: ExactDecimal): [bigint, bigint] {
  const exponent = Math.min(a.exponent, b.exponent);
  const scaled = (value: ExactDecimal) => value.mantissa * 10n ** BigInt(value.exponent - exponent);
  return [scaled(a), scaled(b)];
}

/** Below zero, zero or above, as `a` is less than, equal to or more than `b`. */
export function compareExact(a: string, b: string): number {
  const [left, right] = aligned(parseExact(a), parseExact(b));
  return left === right ? 0 : left < right ? -1 : 1;
}

/** The same value as a plain decimal with at least six fractional digits and no zero behind them: nothing is rounded. */
export function exactText(text: string): string {
  const { mantissa, exponent } = parseExact(text);
  const decimals = Math.max(0, -exponent);
  const magnitude = (mantissa < 0n ? -mantissa : mantissa) * 10n ** BigInt(Math.max(0, exponent));
  const digits = magnitude.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return `${mantissa < 0n ? '-' : ''}${whole}.${fraction.padEnd(6, '0')}`;
}

/** `part / whole` with `digits` decimals, a half rounded up; both not negative, the whole above zero. */
export function ratioHalfUp(part: ExactDecimal, whole: ExactDecimal, digits: number): number {
  const [numerator, denominator] = aligned(part, whole);
  const scale = 10n ** BigInt(digits);
  return Number((2n * numerator * scale + denominator) / (2n * denominator)) / 10 ** digits;
}
