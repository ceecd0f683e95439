import { add, compare, type Decimal, formatDecimal, negate, normalize, parseDecimal, ZERO } from '../../amount.ts';
import { type Amount, type IssuedAmount, isIssued } from '../../entries.ts';

/** How much: whole drops of XRP, or a decimal of an issued currency. Two quantities in one sum are of one kind. */
export type Quantity = bigint | Decimal;

/** What a quantity is of. XRP has no issuer. */
export type Asset = { readonly currency: string; readonly issuer: string };

export const XRP: Asset = { currency: 'XRP', issuer: '' };
export const isXrp = (asset: Asset): boolean => asset.currency === 'XRP';
export const sameAsset = (a: Asset, b: Asset): boolean => a.currency === b.currency && a.issuer === b.issuer;

/** Rates of transfer and of trust lines: this is one to one. */
export const PARITY = 1_000_000_000;

export function assetOf(amount: Amount): Asset {
  return isIssued(amount) ? { currency: amount.currency, issuer: amount.issuer } : XRP;
}

export function quantityOf(amount: Amount): Quantity {
  return isIssued(amount) ? parseDecimal(amount.value) : BigInt(String(amount));
}

export function amountOf(asset: Asset, quantity: Quantity): Amount {
  if (typeof quantity === 'bigint') return String(quantity);
  const issued: IssuedAmount = { ...asset, value: formatDecimal(quantity) };
  return issued;
}

export const zeroOf = (asset: Asset): Quantity => (isXrp(asset) ? 0n : ZERO);
export const zeroLike = (quantity: Quantity): Quantity => (typeof quantity === 'bigint' ? 0n : ZERO);

export function signOf(quantity: Quantity): number {
  const digits = typeof quantity === 'bigint' ? quantity : quantity.mantissa;
  return digits === 0n ? 0 : digits < 0n ? -1 : 1;
}

export function plus(a: Quantity, b: Quantity): Quantity {
  if (typeof a === 'bigint') return a + (b as bigint);
  return add(a, b as Decimal);
}

export const minus = (a: Quantity, b: Quantity): Quantity => plus(a, negated(b));
export const negated = (a: Quantity): Quantity => (typeof a === 'bigint' ? -a : negate(a));

export function order(a: Quantity, b: Quantity): number {
  if (typeof a === 'bigint') return a === b ? 0 : a < (b as bigint) ? -1 : 1;
  return compare(a, b as Decimal);
}

export const least = (a: Quantity, b: Quantity): Quantity => (order(b, a) < 0 ? b : a);
export const equal = (a: Quantity, b: Quantity): boolean => order(a, b) === 0;

/** The sum of a non-empty list, added from the smallest to the largest, which keeps the most digits. */
export function sum(quantities: readonly Quantity[], zero: Quantity): Quantity {
  const [first, ...rest] = [...quantities].sort(order);
  return first === undefined ? zero : rest.reduce(plus, first);
}

/** The most significant digits that always fit into 63 bits. */
const ROOM_DIGITS = 18;

/** The least power of ten that is not below a positive value. */
function powerOfTenAbove(value: bigint): number {
  const digits = value.toString();
  return /^10*$/.test(digits) ? digits.length - 1 : digits.length;
}

function ratioOfDrops(drops: bigint, numerator: bigint, denominator: bigint, roundUp: boolean): bigint {
  const product = drops * numerator;
  const quotient = product / denominator;
  if (product % denominator === 0n) return quotient;
  if (product >= 0n) return roundUp ? quotient + 1n : quotient;
  return roundUp ? quotient : quotient - 1n;
}

function ratioOfDecimal(value: Decimal, numerator: bigint, denominator: bigint, roundUp: boolean): Decimal {
  const negative = value.mantissa < 0n;
  const product = (negative ? -value.mantissa : value.mantissa) * numerator;
  let { exponent } = value;
  let low = product / denominator;
  let rest = product % denominator;
  if (rest !== 0n) {
    const room = ROOM_DIGITS - (low === 0n ? -1 : powerOfTenAbove(low));
    if (room > 0) {
      exponent -= room;
      low *= 10n ** BigInt(room);
      rest *= 10n ** BigInt(room);
    }
    low += rest / denominator;
    rest %= denominator;
  }
  let hasRest = rest !== 0n;
  const excess = (low === 0n ? -1 : powerOfTenAbove(low)) - ROOM_DIGITS;
  if (excess > 0) {
    const unit = 10n ** BigInt(excess);
    hasRest ||= low % unit !== 0n;
    low /= unit;
    exponent += excess;
  }
  const result = normalize(negative ? -low : low, exponent);
  const away = hasRest && roundUp !== negative;
  if (!away) return result;
  if (result.mantissa === 0n) return { mantissa: (negative ? -1n : 1n) * 10n ** 15n, exponent: -96 };
  return normalize(result.mantissa + (negative ? -1n : 1n), result.exponent);
}

/**
 * A quantity times a fraction, rounded towards or away from zero in its last digit as asked; this is how transfer fees
 * and the qualities of trust lines are reckoned.
 */
export function ratio(quantity: Quantity, numerator: number, denominator: number, roundUp: boolean): Quantity {
  if (numerator === denominator || signOf(quantity) === 0) return quantity;
  const [n, d] = [BigInt(numerator), BigInt(denominator)];
  return typeof quantity === 'bigint' ? ratioOfDrops(quantity, n, d, roundUp) : ratioOfDecimal(quantity, n, d, roundUp);
}
