import { type ExactDecimal, parseExact } from '#lib/base/exact-decimal.ts';
import { divideFloor, type TokenUnits } from '#lib/base/money.ts';
import type { TrustLine } from './types.ts';

/** `value × 10^scale`; exact because the caller's scale covers every digit. */
const scaleTo = (value: ExactDecimal, scale: number): bigint => value.mantissa * 10n ** BigInt(value.exponent + scale);

/**
 * An issued-currency value as the ledger writes it (large and small ones with an exponent: a limit of 100 billion comes as
 * "1000000000000000e-4"), in units of 10^-decimals, rounded down. Exact: no floating point.
 */
export function parseLedgerValue(text: string, decimals: number): TokenUnits {
  const value = parseExact(text);
  const shift = value.exponent + decimals;
  return shift >= 0 ? value.mantissa * 10n ** BigInt(shift) : divideFloor(value.mantissa, 10n ** BigInt(-shift));
}

/** True when `units` more fit under the line's limit (docs/ledger-facts.md, 21), compared to the last digit. */
export function hasRoom(line: Pick<TrustLine, 'balance' | 'limit'>, units: TokenUnits, decimals: number): boolean {
  const balance = parseExact(line.balance);
  const limit = parseExact(line.limit);
  const scale = Math.max(decimals, -balance.exponent, -limit.exponent);
  const amount = scaleTo({ mantissa: units, exponent: -decimals }, scale);
  return scaleTo(limit, scale) - scaleTo(balance, scale) >= amount;
}
