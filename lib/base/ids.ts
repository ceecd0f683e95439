import { BASE62, ID_LENGTH, type IdPrefix } from '@tranche/rules/ids.ts';

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

/** A new random identifier. */
export const newId = (prefix: IdPrefix, random: RandomBytes): string => `${prefix}_${randomBase62(random, ID_LENGTH)}`;

/** Digits of a minute in hexadecimal, until the year 2480. */
export const MINUTE_DIGITS = 7;

/**
 * Many new identifiers with one draw of randomness, each of which costs more than the rest of an identifier. They begin with the
 * minute: rows that are written together stand together in an index by id, so that a large one costs no more than a small one.
 */
export function newIds(prefix: IdPrefix, random: RandomBytes, count: number, nowMs: number): string[] {
  const minute = Math.floor(nowMs / 60_000)
    .toString(16)
    .padStart(MINUTE_DIGITS, '0');
  const length = ID_LENGTH - minute.length;
  const drawn = random(count * length * 2);
  let used = 0;
  const take: RandomBytes = (size) => {
    if (used + size > drawn.length) return random(size);
    used += size;
    return drawn.subarray(used - size, used);
  };
  return Array.from({ length: count }, () => `${prefix}_${minute}${randomBase62(take, length)}`);
}

export const idPattern = (prefix: IdPrefix): RegExp => new RegExp(`^${prefix}_[0-9A-Za-z]{22}$`);
