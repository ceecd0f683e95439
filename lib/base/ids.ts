import { hash } from 'node:crypto';

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
  'chl',
  'mnt',
  'sync',
  'chat',
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

/** Divided by this many digits at a time, in parts of 16 bits: all of it stays within what a number holds exactly. */
const GROUP_DIGITS = 5;
const GROUP = 62 ** GROUP_DIGITS;

/** The last `length` base62 digits of a big-endian number of whole 16-bit parts. */
function base62OfBytes(bytes: Buffer, length: number): string {
  const parts = new Uint16Array(bytes.length / 2);
  for (let i = 0; i < parts.length; i++) parts[i] = bytes.readUInt16BE(2 * i);
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

/** A new random identifier. */
export const newId = (prefix: IdPrefix, random: RandomBytes): string => `${prefix}_${randomBase62(random, ID_LENGTH)}`;

/**
 * An identifier derived from what it names, so that doing the same thing twice cannot make two of it:
 * an investment's id follows from its transaction hash, an event's from its type and subject.
 */
export function derivedId(prefix: IdPrefix, ...subject: string[]): string {
  const digest = hash('sha256', JSON.stringify([prefix, ...subject]), 'buffer');
  return `${prefix}_${base62OfBytes(digest, ID_LENGTH)}`;
}

export const idPattern = (prefix: IdPrefix): RegExp => new RegExp(`^${prefix}_[0-9A-Za-z]{22}$`);
