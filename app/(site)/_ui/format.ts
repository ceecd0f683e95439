import { spelledCurrency } from '#lib/xrpl/currency-name.ts';

/** Amounts as people read them. All of it works on decimal texts: what is shown is exact, and no number is a float. */

const GROUPS = /\B(?=(\d{3})+(?!\d))/g;

/** `1234567.500000` as `1,234,567.5`: thousands grouped, zeros at the end left out. Refuses what is no plain decimal. */
export function formatAmount(text: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (match === null) throw new TypeError('Not a plain decimal');
  const [, sign = '', whole = '0', fraction = ''] = match;
  const kept = fraction.replace(/0+$/, '');
  return `${sign}${whole.replace(GROUPS, ',')}${kept === '' ? '' : `.${kept}`}`;
}

/** `1234567.500000` as `1234567.5`: as fields, links and wallets take it. Whole numbers keep their zeros. */
export const plainAmount = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);

/** More digits behind the point than these hide the amount that they belong to. */
const SHOWN_DIGITS = 2;

/**
 * An amount for reading: from 1 on cut to two digits behind the point, never rounded up, since nobody may be promised more
 * than there is. Below 1 every digit counts.
 */
export function formatReadable(text: string): string {
  const exact = formatAmount(text);
  const [whole = '0', fraction = ''] = exact.split('.');
  if (/^-?0$/.test(whole) || fraction.length <= SHOWN_DIGITS) return exact;
  const cut = fraction.slice(0, SHOWN_DIGITS).replace(/0+$/, '');
  return cut === '' ? whole : `${whole}.${cut}`;
}

export const formatCount = (count: number): string => formatAmount(String(Math.trunc(count)));

/** How many of what: `1 wallet`, `1,200 wallets`. */
export const formatCounted = (count: number, one: string, several = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : several}`;

/** A currency code as people know it; one that spells no name by its first digits. */
export const currencyName = (code: string): string => spelledCurrency(code) ?? `${code.slice(0, 8)}…`;

/** The two ends of an address or hash, enough to recognise it. */
export const shortened = (text: string, ends = 6): string =>
  text.length <= 2 * ends + 1 ? text : `${text.slice(0, ends)}…${text.slice(-ends)}`;

const TIME = { hour: '2-digit', minute: '2-digit', second: '2-digit', timeZoneName: 'short' } as const;
const formatsIn = (timeZone: string) => ({
  date: new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone }),
  time: new Intl.DateTimeFormat('en-GB', { ...TIME, timeZone }),
});
/** Made once: a page has many times, and making a format costs far more than using it. */
const UTC = formatsIn('UTC');
let other = { timeZone: 'UTC', formats: UTC };

function formats(timeZone: string) {
  if (timeZone === 'UTC') return UTC;
  if (other.timeZone !== timeZone) other = { timeZone, formats: formatsIn(timeZone) };
  return other.formats;
}

/** `21 Nov 2026, 19:46:12 UTC`, or in another zone with its name. */
export const formatTime = (iso: string, timeZone = 'UTC'): string =>
  `${formatDate(iso, timeZone)}, ${formats(timeZone).time.format(new Date(iso))}`;
export const formatDate = (iso: string, timeZone = 'UTC'): string => formats(timeZone).date.format(new Date(iso));

const SPANS = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const;

/** A span in its largest whole unit: `3 days`, `1 hour`. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.trunc(seconds));
  const [size, name] = SPANS.find(([each]) => whole >= each) ?? [1, 'second'];
  const count = Math.trunc(whole / size);
  return formatCounted(count, name);
}
