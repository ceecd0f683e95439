const RIPPLE_EPOCH_S = 946_684_800;

/** A decimal text as an integer of 10^-`digits`: `scaled('1.5', 6)` is 1500000n. Zeros beyond the digits say nothing. */
export function scaled(text: string, digits: number): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.slice(0, digits).padEnd(digits, '0'));
}

/** The text of an integer of 10^-`digits`, with six fractional digits. */
export function sixDigits(value: bigint, digits = 6): string {
  const millionths = value * 10n ** BigInt(6 - digits);
  return `${millionths / 1_000_000n}.${String(millionths % 1_000_000n).padStart(6, '0')}`;
}

export function scaledOrNull(text: string | null, digits: number): bigint | null {
  return text === null ? null : scaled(text, digits);
}

export function ceilOfQuotient(a: bigint, b: bigint): bigint {
  return a / b + (a % b === 0n ? 0n : 1n);
}

export function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

/** What is left below a limit; never negative. */
export function room(limit: bigint, used: bigint): bigint {
  return limit > used ? limit - used : 0n;
}

export function millisOfLedger(closeTime: number): number {
  return (closeTime + RIPPLE_EPOCH_S) * 1000;
}

export function millisOrNull(time: string | null): number | null {
  return time === null ? null : Date.parse(time);
}
