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

/** The same, many of them: each draw of randomness costs more than the rest of an identifier. */
export function newIds(prefix: IdPrefix, random: RandomBytes, count: number): string[] {
  const drawn = random(count * ID_LENGTH * 2);
  let used = 0;
  const take: RandomBytes = (size) => {
    if (used + size > drawn.length) return random(size);
    used += size;
    return drawn.subarray(used - size, used);
  };
  return Array.from({ length: count }, () => newId(prefix, take));
}

export const idPattern = (prefix: IdPrefix): RegExp => new RegExp(`^${prefix}_[0-9A-Za-z]{22}$`);
