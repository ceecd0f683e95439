import { type Figure, isMet } from '../figures.ts';

/** As many digits as count. */
export function numberText(value: number): string {
  if (!Number.isFinite(value)) return 'not measured';
  if (Number.isInteger(value) || Math.abs(value) >= 1_000) return Math.round(value).toLocaleString('en-US');
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

export function targetText({ target }: Figure): string {
  if (target === undefined) return '';
  return 'atLeast' in target ? `at least ${numberText(target.atLeast)}` : `at most ${numberText(target.atMost)}`;
}

export function verdictText(figure: Figure): string {
  const met = isMet(figure);
  if (met === null) return '';
  return met ? 'met' : '**missed**';
}
