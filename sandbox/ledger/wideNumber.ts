/**
 * The server's wide numbers, by which it calculates statistics: `mantissa · 10^exponent` with 18 or 19 digits, so that the
 * mantissa fits into 63 bits. Every operation rounds half to even.
 */
export type WideNumber = { readonly mantissa: bigint; readonly exponent: number };

const DIGITS = 19;
const MAX_MANTISSA = 2n ** 63n - 1n;
/** Spelled with an exponent outside of these. */
const LEAST_PLAIN_EXPONENT = -28;
const MOST_PLAIN_EXPONENT = -8;

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);

function roundedQuotient(numerator: bigint, denominator: bigint): bigint {
  const quotient = magnitude(numerator) / denominator;
  const doubled = (magnitude(numerator) % denominator) * 2n;
  const isUp = doubled > denominator || (doubled === denominator && quotient % 2n === 1n);
  const rounded = isUp ? quotient + 1n : quotient;
  return numerator < 0n ? -rounded : rounded;
}

/** The wide number nearest to `mantissa · 10^exponent`. */
export function wide(mantissa: bigint, exponent = 0): WideNumber {
  if (mantissa === 0n) return { mantissa, exponent: 0 };
  const size = magnitude(mantissa);
  let dropped = size.toString().length - DIGITS;
  if (dropped <= 0) {
    const scaled = size * 10n ** BigInt(-dropped);
    if (scaled <= MAX_MANTISSA) {
      return { mantissa: mantissa < 0n ? -scaled : scaled, exponent: exponent + dropped };
    }
    dropped += 1;
    if (dropped <= 0) return { mantissa: mantissa * 10n ** BigInt(-dropped), exponent: exponent + dropped };
  } else if (size / 10n ** BigInt(dropped) > MAX_MANTISSA) {
    dropped += 1;
  }
  const rounded = roundedQuotient(mantissa, 10n ** BigInt(dropped));
  return magnitude(rounded) > MAX_MANTISSA
    ? { mantissa: roundedQuotient(rounded, 10n), exponent: exponent + dropped + 1 }
    : { mantissa: rounded, exponent: exponent + dropped };
}

export function addWide(a: WideNumber, b: WideNumber): WideNumber {
  if (a.mantissa === 0n) return b;
  if (b.mantissa === 0n) return a;
  const exponent = Math.min(a.exponent, b.exponent);
  const at = ({ mantissa, exponent: own }: WideNumber): bigint => mantissa * 10n ** BigInt(own - exponent);
  return wide(at(a) + at(b), exponent);
}

export const multiplyWide = (a: WideNumber, b: WideNumber): WideNumber =>
  wide(a.mantissa * b.mantissa, a.exponent + b.exponent);

/** Divides by a positive number. */
export const divideWide = (a: WideNumber, b: WideNumber): WideNumber =>
  wide(roundedQuotient(a.mantissa * 10n ** 40n, b.mantissa), a.exponent - b.exponent - 40);

const isSame = (a: WideNumber, b: WideNumber): boolean => a.mantissa === b.mantissa && a.exponent === b.exponent;

/** The square root of a number that is not negative, by Newton's steps as the server takes them: its last digit is theirs. */
export function squareRoot(value: WideNumber): WideNumber {
  if (value.mantissa === 0n || isSame(value, wide(1n))) return value;
  const magnitudeOf = value.exponent + DIGITS;
  const shift = magnitudeOf % 2 === 0 ? magnitudeOf : magnitudeOf + 1;
  const scaled = { ...value, exponent: value.exponent - shift };
  // A parabola through the roots of 0 to 1 gives the first guess: (-60 x² + 144 x + 18) / 105.
  const slope = addWide(multiplyWide(wide(-60n), scaled), wide(144n));
  let root = divideWide(addWide(multiplyWide(slope, scaled), wide(18n)), wide(105n));
  let last = wide(0n);
  let lastButOne = wide(0n);
  do {
    lastButOne = last;
    last = root;
    root = divideWide(addWide(root, divideWide(scaled, root)), wide(2n));
  } while (!isSame(root, last) && !isSame(root, lastButOne));
  return { ...root, exponent: root.exponent + shift / 2 };
}

/** The server's spelling, without zeros at the end. */
export function formatWide({ mantissa, exponent }: WideNumber): string {
  if (mantissa === 0n) return '0';
  const sign = mantissa < 0n ? '-' : '';
  const digits = magnitude(mantissa).toString();
  if (exponent !== 0 && (exponent < LEAST_PLAIN_EXPONENT || exponent > MOST_PLAIN_EXPONENT)) {
    const kept = digits.replace(/0+$/, '');
    return `${sign}${kept}e${exponent + digits.length - kept.length}`;
  }
  if (exponent === 0) return sign + digits;
  const padded = digits.padStart(1 - exponent, '0');
  const fraction = padded.slice(exponent).replace(/0+$/, '');
  return sign + padded.slice(0, exponent) + (fraction && `.${fraction}`);
}
