import { type Drops, MAX_DROPS, parseDecimal, XRP_DECIMALS } from '@tranche/rules/amounts.ts';
import { typedNumber } from '#lib/base/typed-number.ts';

/** What a visitor typed, as drops; a text that says what is wrong with it; or null for nothing. Pure. */
export function typedAmount(typed: string): Drops | string | null {
  const number = typedNumber(typed);
  if (number === '') return null;
  const drops = parseDecimal(number, XRP_DECIMALS);
  if (drops !== null) return drops > MAX_DROPS ? 'More than all XRP there is.' : drops;
  return number.includes(',')
    ? 'This can be read in two ways. Write 1000 or 1.5, without a comma or a point between thousands.'
    : 'Enter an amount of XRP, with at most six decimals.';
}
