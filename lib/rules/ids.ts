import { sha256 } from '#sha256.ts';

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

/** Divided by this many digits at a time, in parts of 16 bits: all of it stays within what a number holds exactly. */
const GROUP_DIGITS = 5;
const GROUP = 62 ** GROUP_DIGITS;

/** The last `length` base62 digits of a big-endian number of whole 16-bit parts. */
function base62OfBytes(bytes: Uint8Array, length: number): string {
  const parts = new Uint16Array(bytes.length / 2);
  for (let i = 0; i < parts.length; i++) parts[i] = ((bytes[2 * i] ?? 0) << 8) | (bytes[2 * i + 1] ?? 0);
  let text = '';
  while (text.length < length) {
    let group = 0;
    for (let i = 0; i < parts.length; i++) {
      const dividend = group * 0x1_0000 + (parts[i] ?? 0);
      const quotient = Math.floor(dividend / GROUP);
      parts[i] = quotient;
      group = dividend - quotient * GROUP;
    }
    for (let i = 0; i < GROUP_DIGITS && text.length < length; i++) {
      text = BASE62.charAt(group % 62) + text;
      group = Math.floor(group / 62);
    }
  }
  return text;
}

/**
 * An identifier derived from what it names, so that doing the same thing twice cannot make two of it:
 * an investment's id follows from its transaction hash, an event's from its type and subject.
 */
export function derivedId(prefix: IdPrefix, ...subject: string[]): string {
  const digest = sha256(JSON.stringify([prefix, ...subject]));
  return `${prefix}_${base62OfBytes(digest, ID_LENGTH)}`;
}

/** An investment's id follows from its payment's transaction hash, so that one payment cannot make two. */
export const investmentId = (txHash: string): string => derivedId('inv', txHash);
