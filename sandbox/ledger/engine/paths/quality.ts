import { type Decimal, normalize } from '../../amount.ts';
import { uintHex } from '../../hashing.ts';
import { order, type Quantity, signOf } from './quantity.ts';

/**
 * What one of an order book's two sides costs in the other, as the 64 bits that end a book directory's key: the
 * exponent plus 100 in the first 8, then the 16 digits. A lower value is a better quality.
 */
export type Quality = bigint;

export const QUALITY_ONE: Quality = (85n << 56n) | (10n ** 15n);
const MANTISSA_MASK = (1n << 56n) - 1n;
const LEAST_MANTISSA = 10n ** 15n;
const MOST_MANTISSA = 10n ** 16n - 1n;
/** The smallest positive amount of an issued currency. */
const SMALLEST: Decimal = { mantissa: LEAST_MANTISSA, exponent: -96 };
/** More digits in front of a number of drops than there are drops. */
const MOST_DROP_OFFSET = 17;
const MOST_DROPS = 10n ** 17n;

/** Sixteen digits of any positive quantity. */
function digitsOf(quantity: Quantity): Decimal {
  if (typeof quantity !== 'bigint') return quantity;
  let mantissa = quantity;
  let exponent = 0;
  while (mantissa < LEAST_MANTISSA) {
    mantissa *= 10n;
    exponent -= 1;
  }
  return { mantissa, exponent };
}

const roundedUp = (numerator: bigint, denominator: bigint): bigint => (numerator + denominator - 1n) / denominator;

/** The server's own division of two positive quantities, which adds half a unit of the sixteenth digit. */
export function divideQuantities(numerator: Quantity, denominator: Quantity): Decimal {
  const n = digitsOf(numerator);
  const d = digitsOf(denominator);
  return normalize((n.mantissa * 10n ** 17n) / d.mantissa + 5n, n.exponent - d.exponent - 17);
}

function pack({ mantissa, exponent }: Decimal): Quality {
  return mantissa === 0n ? 0n : (BigInt(exponent + 100) << 56n) | mantissa;
}

/** The quality of giving `out` for `paid`; 0 when it is too good to be counted. */
export function qualityOf(paid: Quantity, out: Quantity): Quality {
  if (signOf(out) === 0 || signOf(paid) === 0) return 0n;
  try {
    return pack(divideQuantities(paid, out));
  } catch {
    return 0n;
  }
}

/** A quality as the price that it stands for. */
export function priceOf(quality: Quality): Decimal {
  return normalize(quality & MANTISSA_MASK, Number(quality >> 56n) - 100);
}

export const qualityHex = (quality: Quality): string => uintHex(quality, 8);
/** The quality that a book directory's key ends with. */
export const qualityOfDirectory = (directory: string): Quality => BigInt(`0x${directory.slice(48)}`);

/** Rounds a quality up to that many digits: the tick size of an issuer. */
export function roundToTick(quality: Quality, digits: number): Quality {
  const unit = 10n ** BigInt(16 - digits);
  const mantissa = roundedUp(quality & MANTISSA_MASK, unit) * unit;
  return (quality & ~MANTISSA_MASK) | mantissa;
}

/** How the digits beyond the result's are dropped: `strict` looks at what is dropped, the older way does not. */
type Rounding = { readonly up: boolean; readonly strict: boolean };

/** Whole drops of a positive number, rounded up; the older way may add a drop that is not needed. */
function dropsRoundedUp(digits: bigint, offset: number, strict: boolean): bigint {
  if (digits === 0n || offset <= -20) return 1n;
  if (offset >= 0) return digits * 10n ** BigInt(offset);
  const unit = 10n ** BigInt(-offset - 1);
  const shifted = digits / unit;
  const lost = strict ? digits % unit !== 0n : offset > -3;
  const drops = (shifted + (lost ? 10n : 9n)) / 10n;
  return drops === 0n ? 1n : drops;
}

/** Whole drops nearest to a positive number, the even ones of two. Throws RangeError when there can be none so many. */
export function nearestDrops(digits: bigint, offset: number): bigint {
  if (offset > MOST_DROP_OFFSET) throw new RangeError('XRP amount out of range');
  const drops = offset >= 0 ? digits * 10n ** BigInt(offset) : nearest(digits, 10n ** BigInt(-offset));
  if (drops > MOST_DROPS) throw new RangeError('XRP amount out of range');
  return drops;
}

function nearest(numerator: bigint, denominator: bigint): bigint {
  const whole = numerator / denominator;
  const doubled = (numerator % denominator) * 2n;
  return doubled > denominator || (doubled === denominator && whole % 2n === 1n) ? whole + 1n : whole;
}

function dropsRoundedDown(digits: bigint, offset: number, strict: boolean): bigint {
  if (digits === 0n || offset <= -20) return 0n;
  if (offset >= 0) return digits * 10n ** BigInt(offset);
  const unit = 10n ** BigInt(-offset);
  return strict ? digits / unit : nearest(digits, unit);
}

function finishDrops(digits: bigint, offset: number, { up, strict }: Rounding): bigint {
  if (offset > MOST_DROP_OFFSET) throw new RangeError('XRP amount out of range');
  const drops = up ? dropsRoundedUp(digits, offset, strict) : dropsRoundedDown(digits, offset, strict);
  if (drops > MOST_DROPS) throw new RangeError('XRP amount out of range');
  return drops;
}

/** Sixteen digits of a positive number; what was to be rounded up has been already as far as `digits` goes. */
function finishIssued(digits: bigint, offset: number, { up, strict }: Rounding): Decimal {
  if (up) {
    let mantissa = digits;
    let exponent = offset;
    if (mantissa > MOST_MANTISSA) {
      while (mantissa > 10n * MOST_MANTISSA) {
        mantissa /= 10n;
        exponent += 1;
      }
      mantissa = (mantissa + 9n) / 10n;
      exponent += 1;
    }
    const result = normalize(mantissa, exponent);
    return result.mantissa === 0n ? SMALLEST : result;
  }
  if (!strict) return normalize(digits, offset);
  const excess = Math.max(0, digits.toString().length - 16);
  return normalize(digits / 10n ** BigInt(excess), offset + excess);
}

function finish(digits: bigint, offset: number, like: Quantity, rounding: Rounding): Quantity {
  return typeof like === 'bigint' ? finishDrops(digits, offset, rounding) : finishIssued(digits, offset, rounding);
}

/** A positive quantity times a price, as a quantity of the kind of `like`. */
export function multiplyRounded(a: Quantity, b: Quantity, like: Quantity, rounding: Rounding): Quantity {
  if (signOf(a) === 0 || signOf(b) === 0) return typeof like === 'bigint' ? 0n : { mantissa: 0n, exponent: 0 };
  const x = digitsOf(a);
  const y = digitsOf(b);
  const product = x.mantissa * y.mantissa;
  const unit = 10n ** 14n;
  const digits = rounding.up ? roundedUp(product, unit) : product / unit;
  return finish(digits, x.exponent + y.exponent + 14, like, rounding);
}

/** A positive quantity divided by a price, as a quantity of the kind of `like`. */
export function divideRoundedTo(a: Quantity, b: Quantity, like: Quantity, rounding: Rounding): Quantity {
  if (signOf(b) === 0) throw new RangeError('division by zero');
  if (signOf(a) === 0) return typeof like === 'bigint' ? 0n : { mantissa: 0n, exponent: 0 };
  const x = digitsOf(a);
  const y = digitsOf(b);
  const scaled = x.mantissa * 10n ** 17n;
  const digits = rounding.up ? roundedUp(scaled, y.mantissa) : scaled / y.mantissa;
  // Rounding up to whole drops never looks at what is dropped when dividing.
  const strict = rounding.strict && !(rounding.up && typeof like === 'bigint');
  return finish(digits, x.exponent - y.exponent - 17, like, { up: rounding.up, strict });
}

/** Two qualities one after the other. */
export function composed(a: Quality, b: Quality): Quality {
  const product = multiplyRounded(priceOf(a), priceOf(b), priceOf(a), { up: true, strict: false });
  return pack(product as Decimal);
}

/** What changes hands between a taker, who pays `in`, and an offer, which gives `out`. */
export type Exchange = { readonly in: Quantity; readonly out: Quantity };

/** As much of an exchange as gives at most `limit`, at that quality. */
export function limitOut(quality: Quality, exchange: Exchange, limit: Quantity, roundUp: boolean): Exchange {
  if (order(exchange.out, limit) <= 0) return exchange;
  const paid = multiplyRounded(limit, priceOf(quality), exchange.in, { up: roundUp, strict: true });
  return { in: order(paid, exchange.in) > 0 ? exchange.in : paid, out: limit };
}

/** As much of an exchange as costs at most `limit`, at that quality. */
export function limitIn(quality: Quality, exchange: Exchange, limit: Quantity, roundUp: boolean): Exchange {
  if (order(exchange.in, limit) <= 0) return exchange;
  const out = divideRoundedTo(limit, priceOf(quality), exchange.out, { up: roundUp, strict: true });
  return { in: limit, out: order(out, exchange.out) > 0 ? exchange.out : out };
}
