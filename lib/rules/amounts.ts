/** XRP in drops (10^-6 XRP). */
export type Drops = bigint;
/** A project's token in its own smallest unit (10^-decimals token). */
export type TokenUnits = bigint;
/** A price in XRP per token, scaled by 10^12. */
export type ScaledPrice = bigint;

export const XRP_DECIMALS = 6;
/** Tokens travel with six decimals, whatever the project's own precision (docs/verification.md, section 1). */
export const WIRE_TOKEN_DECIMALS = 6;
export const PRICE_DECIMALS = 12;
/** 100 billion XRP: all there will ever be. */
export const MAX_DROPS: Drops = 10n ** 17n;

const POWERS_OF_TEN = Array.from({ length: 32 }, (_, exponent) => 10n ** BigInt(exponent));
const tenTo = (exponent: number): bigint => POWERS_OF_TEN[exponent] ?? 10n ** BigInt(exponent);

export const divideFloor = (a: bigint, b: bigint): bigint => {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
};
export const divideCeil = (a: bigint, b: bigint): bigint => -divideFloor(-a, b);

export const minBigInt = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/**
 * Parses a non-negative plain decimal ("12", "0.5") into an integer scaled by 10^decimals.
 * Returns null when the text is not such a decimal or needs more digits than `decimals`; nothing is ever rounded.
 */
export function parseDecimal(text: string, decimals: number): bigint | null {
  const match = /^(0|[1-9]\d{0,24})(?:\.(\d{1,24}))?$/.exec(text);
  if (match === null) return null;
  const fraction = (match[2] ?? '').replace(/0+$/, '');
  if (fraction.length > decimals) return null;
  return BigInt(match[1] ?? '0') * tenTo(decimals) + BigInt(fraction.padEnd(decimals, '0') || '0');
}

/** Formats an integer scaled by 10^decimals with exactly `decimals` fractional digits. */
export function formatDecimal(scaled: bigint, decimals: number): string {
  const negative = scaled < 0n;
  const digits = (negative ? -scaled : scaled).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const text = decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}`;
  return negative ? `-${text}` : text;
}

/** Six fractional digits, as every documented amount has. */
export const formatDrops = (drops: Drops): string => formatDecimal(drops, XRP_DECIMALS);

/** A token amount on the wire: six fractional digits, exact because `decimals` is at most six. */
export const formatUnits = (units: TokenUnits, decimals: number): string =>
  formatDecimal(units * tenTo(WIRE_TOKEN_DECIMALS - decimals), WIRE_TOKEN_DECIMALS);

/** A wire token amount in the token's own unit; null when it is not a multiple of that unit. */
export function parseUnits(text: string, decimals: number): TokenUnits | null {
  return parseDecimal(text, decimals);
}

/** The shortest form of a price, never fewer than two fractional digits ("0.10"). */
export function formatPrice(price: ScaledPrice): string {
  const [whole = '0', fraction = ''] = formatDecimal(price, PRICE_DECIMALS).split('.');
  return `${whole}.${fraction.replace(/0+$/, '').padEnd(2, '0')}`;
}

export const parsePrice = (text: string): ScaledPrice | null => parseDecimal(text, PRICE_DECIMALS);

/** An issued-currency value as the ledger takes it: plain, without trailing zeros. */
export function formatLedgerValue(units: TokenUnits, decimals: number): string {
  const text = formatDecimal(units, decimals);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/** One token unit costs price * 10^6 / (10^12 * 10^decimals) drops. */
const unitsPerPriceScale = (decimals: number): bigint => tenTo(PRICE_DECIMALS - XRP_DECIMALS + decimals);

/** Whole units that `drops` buys at `price`, rounded down (docs/verification.md, section 3). */
export const unitsBoughtFloor = (drops: Drops, price: ScaledPrice, decimals: number): TokenUnits =>
  (drops * unitsPerPriceScale(decimals)) / price;

/** Drops that `units` cost at `price`, rounded up (docs/verification.md, section 3). */
export const costCeil = (units: TokenUnits, price: ScaledPrice, decimals: number): Drops =>
  divideCeil(units * price, unitsPerPriceScale(decimals));

/** `part / whole` in percent with two decimals, rounded down. The result is a plain JSON number. */
export const percentageFloor = (part: bigint, whole: bigint): number =>
  whole === 0n ? 0 : Number((part * 10_000n) / whole) / 100;
