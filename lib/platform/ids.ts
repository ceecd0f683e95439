import { createHash } from 'node:crypto';

/** Typed identifier prefixes; the form `<prefix>_<id>` is fixed by specification 2. */
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
  'req',
] as const;
export type IdPrefix = (typeof ID_PREFIXES)[number];

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 22 base62 digits hold a little over 128 bits. */
const ID_LENGTH = 22;

export type RandomBytes = (size: number) => Uint8Array;

/** Uniform base62 text; bytes of 248 and above are rejected so that no digit is favoured. */
export function randomBase62(random: RandomBytes, length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of random(length * 2)) {
      if (byte < 248 && text.length < length) text += BASE62.charAt(byte % 62);
    }
  }
  return text;
}

function base62OfBytes(bytes: Uint8Array, length: number): string {
  let value = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  for (let i = 0; i < length; i++) {
    text = BASE62.charAt(Number(value % 62n)) + text;
    value /= 62n;
  }
  return text;
}

/** A new random identifier. */
export const newId = (prefix: IdPrefix, random: RandomBytes): string => `${prefix}_${randomBase62(random, ID_LENGTH)}`;

/**
 * An identifier derived from what it names, so that doing the same thing twice cannot make two of it:
 * an investment's id follows from its transaction hash, an event's from its type and subject.
 */
export function derivedId(prefix: IdPrefix, ...subject: string[]): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([prefix, ...subject]))
    .digest();
  return `${prefix}_${base62OfBytes(digest, ID_LENGTH)}`;
}

export const idPattern = (prefix: IdPrefix): RegExp => new RegExp(`^${prefix}_[0-9A-Za-z]{22}$`);
