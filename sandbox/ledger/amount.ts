/**
 * Issued-currency arithmetic: decimals of up to 16 significant digits, as the ledger keeps them. A value is
 * `mantissa · 10^exponent` with 10^15 ≤ |mantissa| < 10^16, or zero. Results round half to even.
 */
export type Decimal = { readonly mantissa: bigint; readonly exponent: number };

const MAX_MANTISSA = 10n ** 16n - 1n;
const MIN_EXPONENT = -96;
const MAX_EXPONENT = 80;
/** The ledger calculates with 19 digits before it rounds to the 16 that it keeps. */
const GUARD_DIGITS = 3;
/** Beyond this many digits apart the smaller of two terms cannot change the larger. */
const MAX_DIGIT_DISTANCE = 40;

export const ZERO: Decimal = { mantissa: 0n, exponent: 0 };

const absolute = (value: bigint): bigint => (value < 0n ? -value : value);

/** Divides and rounds half to even. */
function divideRounded(numerator: bigint, denominator: bigint): bigint {
  const negative = numerator < 0n !== denominator < 0n;
  const n = absolute(numerator);
  const d = absolute(denominator);
  let quotient = n / d;
  const doubled = (n % d) * 2n;
  if (doubled > d || (doubled === d && quotient % 2n === 1n)) quotient += 1n;
  return negative ? -quotient : quotient;
}

/** Brings a value to canonical form. Below the smallest magnitude it becomes zero; above the largest it throws RangeError. */
export function normalize(mantissa: bigint, exponent: number): Decimal {
  if (mantissa === 0n) return ZERO;
  let m = mantissa;
  let e = exponent;
  const excessDigits = absolute(m).toString().length - 16;
  if (excessDigits > 0) {
    const beyondGuard = excessDigits - GUARD_DIGITS;
    if (beyondGuard > 0) m = divideRounded(m, 10n ** BigInt(beyondGuard));
    m = divideRounded(m, 10n ** BigInt(Math.min(excessDigits, GUARD_DIGITS)));
    e += excessDigits;
    if (absolute(m) > MAX_MANTISSA) {
      m /= 10n;
      e += 1;
    }
  } else if (excessDigits < 0) {
    m *= 10n ** BigInt(-excessDigits);
    e += excessDigits;
  }
  if (e < MIN_EXPONENT) return ZERO;
  if (e > MAX_EXPONENT) throw new RangeError('issued amount out of range');
  return { mantissa: m, exponent: e };
}

/** Reads `12.5`, `-1e-7` or `1234567890123456e-35`. Throws SyntaxError on anything else. */
export function parseDecimal(text: string): Decimal {
  const match = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text);
  if (!match) throw new SyntaxError(`not a decimal: ${text}`);
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const mantissa = BigInt(whole + fraction);
  return normalize(sign === '-' ? -mantissa : mantissa, Number(exponent) - fraction.length);
}

/** The server's own spelling: exponent form with a full mantissa when the exponent is below -25 or above -5. */
export function formatDecimal(value: Decimal): string {
  if (value.mantissa === 0n) return '0';
  const { mantissa, exponent } = value;
  if (exponent !== 0 && (exponent < -25 || exponent > -5)) return `${mantissa}e${exponent}`;
  const sign = mantissa < 0n ? '-' : '';
  const digits = absolute(mantissa).toString();
  if (exponent === 0) return sign + digits;
  const padded = digits.padStart(-exponent + 1, '0');
  const whole = padded.slice(0, exponent);
  const fraction = padded.slice(exponent).replace(/0+$/, '');
  return sign + whole + (fraction ? `.${fraction}` : '');
}

export function add(a: Decimal, b: Decimal): Decimal {
  if (a.mantissa === 0n) return b;
  if (b.mantissa === 0n) return a;
  const [big, small] = a.exponent >= b.exponent ? [a, b] : [b, a];
  const distance = big.exponent - small.exponent;
  if (distance > MAX_DIGIT_DISTANCE) return big;
  return normalize(big.mantissa * 10n ** BigInt(distance) + small.mantissa, small.exponent);
}

export const negate = (a: Decimal): Decimal => ({ mantissa: -a.mantissa, exponent: a.exponent });
export const subtract = (a: Decimal, b: Decimal): Decimal => add(a, negate(b));

export function multiply(a: Decimal, b: Decimal): Decimal {
  return normalize(a.mantissa * b.mantissa, a.exponent + b.exponent);
}

/** Throws RangeError on division by zero. */
export function divide(a: Decimal, b: Decimal): Decimal {
  if (b.mantissa === 0n) throw new RangeError('division by zero');
  return normalize(divideRounded(a.mantissa * 10n ** 20n, b.mantissa), a.exponent - b.exponent - 20);
}

export function compare(a: Decimal, b: Decimal): number {
  const signA = a.mantissa === 0n ? 0 : a.mantissa < 0n ? -1 : 1;
  const signB = b.mantissa === 0n ? 0 : b.mantissa < 0n ? -1 : 1;
  if (signA !== signB) return signA < signB ? -1 : 1;
  if (signA === 0) return 0;
  if (a.exponent !== b.exponent) return a.exponent > b.exponent === signA > 0 ? 1 : -1;
  return a.mantissa === b.mantissa ? 0 : a.mantissa > b.mantissa ? 1 : -1;
}

export const sameDecimal = (a: Decimal, b: Decimal): boolean => compare(a, b) === 0;
export const min = (a: Decimal, b: Decimal): Decimal => (compare(a, b) <= 0 ? a : b);
export const isZero = (a: Decimal): boolean => a.mantissa === 0n;
export const isNegative = (a: Decimal): boolean => a.mantissa < 0n;
export const isPositive = (a: Decimal): boolean => a.mantissa > 0n;

/** A TransferRate (1,000,000,000 = no fee) as a factor. */
export const rateFactor = (transferRate: number | undefined): Decimal =>
  normalize(BigInt(transferRate || 1_000_000_000), -9);
