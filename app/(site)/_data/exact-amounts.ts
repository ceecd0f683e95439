import { formatDecimal } from '@tranche/rules/amounts.ts';
import { exactText, parseLedgerValue } from '@tranche/rules/exact-decimal.ts';

/** No amount on the ledger has more digits behind its point. */
const DECIMALS = 96;
const unitsOf = (text: string): bigint => parseLedgerValue(text, DECIMALS);
/** Exact, with six digits behind the point or more where there are more. Pure. */
export const sumOf = (amounts: readonly string[]): string =>
  exactText(
    formatDecimal(
      amounts.reduce((sum, text) => sum + unitsOf(text), 0n),
      DECIMALS,
    ),
  );

/** A part of a whole, from 0 to 1; null where it is none: of nothing, or more than the whole. Pure. */
export function shareOf(part: string, whole: string): number | null {
  const [a, b] = [unitsOf(part), unitsOf(whole)];
  return b === 0n || a > b ? null : Number((a * 1_000_000n) / b) / 1_000_000;
}
