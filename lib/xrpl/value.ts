import type { TokenUnits } from '@tranche/rules/amounts.ts';
import { type ExactDecimal, parseExact } from '@tranche/rules/exact-decimal.ts';
import type { TrustLine } from './types.ts';

/** `value × 10^scale`; exact because the caller's scale covers every digit. */
const scaleTo = (value: ExactDecimal, scale: number): bigint => value.mantissa * 10n ** BigInt(value.exponent + scale);

/** True when `units` more fit under the line's limit (docs/ledger-facts.md, 21), compared to the last digit. */
export function hasRoom(line: Pick<TrustLine, 'balance' | 'limit'>, units: TokenUnits, decimals: number): boolean {
  const balance = parseExact(line.balance);
  const limit = parseExact(line.limit);
  const scale = Math.max(decimals, -balance.exponent, -limit.exponent);
  const amount = scaleTo({ mantissa: units, exponent: -decimals }, scale);
  return scaleTo(limit, scale) - scaleTo(balance, scale) >= amount;
}
