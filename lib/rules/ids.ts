import { sha256Hex } from '#sha256.ts';

/** Typed identifier prefixes; the form `<prefix>_<id>` is part of the documented interface. */
export const ID_PREFIXES = [
  'proj',
  'inv',
  'evt',
  'wh',
  'del',
  'key',
  'ten',
  'pay',
  'att',
  'aud',
  'mov',
  'list',
  'ver',
  'rpl',
  'ptl',
  'chl',
  'mem',
  'ses',
  'invite',
  'mnt',
  'apr',
  'sync',
  'chat',
  'req',
] as const;
export type IdPrefix = (typeof ID_PREFIXES)[number];

export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 22 base62 digits hold a little over 128 bits. */
export const ID_LENGTH = 22;

/** Any two digits, by the number that they write. */
const PAIRS = Array.from(
  { length: 62 ** 2 },
  (_, pair) => BASE62.charAt(Math.floor(pair / 62)) + BASE62.charAt(pair % 62),
);
const [PAIR, TWO_PAIRS] = [62 ** 2, 62 ** 4];
/** A number of so many digits is exact as a `number`. */
const GROUP_DIGITS = 8;
const GROUP = 62n ** BigInt(GROUP_DIGITS);

const fourDigits = (value: number): string => `${PAIRS[Math.floor(value / PAIR)]}${PAIRS[value % PAIR]}`;

/** The last `length` base62 digits of a number in hexadecimal. */
function base62OfHex(hex: string, length: number): string {
  let left = BigInt(`0x${hex}`);
  let text = '';
  while (text.length < length) {
    const group = Number(left % GROUP);
    text = `${fourDigits(Math.floor(group / TWO_PAIRS))}${fourDigits(group % TWO_PAIRS)}${text}`;
    left /= GROUP;
  }
  return text.slice(-length);
}

/**
 * An identifier derived from what it names, so that doing the same thing twice cannot make two of it:
 * an investment's id follows from its transaction hash, an event's from its type and subject.
 */
export function derivedId(prefix: IdPrefix, ...subject: string[]): string {
  return `${prefix}_${base62OfHex(sha256Hex(JSON.stringify([prefix, ...subject])), ID_LENGTH)}`;
}

/** An investment's id follows from its payment's transaction hash, so that one payment cannot make two. */
export const investmentId = (txHash: string): string => derivedId('inv', txHash);
