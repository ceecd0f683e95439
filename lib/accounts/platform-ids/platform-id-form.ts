import type { RandomBytes } from '#lib/base/ids.ts';

/**
 * Of each group that is mistaken for one another (0 O Q D, 1 I L, 2 Z, 5 S, 6 G, 8 B, U V) one at most; no vowels, so that no
 * words come about. 23 characters, because the check below needs a prime.
 */
export const ALPHABET = '23456789CDFHJKMNPRTVWXY';
const PRIME = ALPHABET.length;
const DRAWN = 7;
/** Bytes from here on would favour the first characters. */
const FAIR_BYTES = 256 - (256 % PRIME);

/**
 * What all characters weigh together, modulo 23: the first eightfold, the last once, as in an ISBN-10. Zero for a Platform
 * ID. 23 is prime and no two weights are alike, so one wrong character, or any two that changed places, never weigh the same.
 */
const weightOf = (characters: string): number =>
  [...characters].reduce((sum, character, index) => sum + ALPHABET.indexOf(character) * (DRAWN + 1 - index), 0) % PRIME;

const shown = (characters: string): string => `PID-${characters.slice(0, 4)}-${characters.slice(4)}`;

/** The Platform ID of seven characters of the alphabet: the eighth is their check. */
export const withCheck = (drawn: string): string => shown(drawn + ALPHABET.charAt((PRIME - weightOf(drawn)) % PRIME));

/** A new random Platform ID, one of 3.4 thousand million. */
export function newPlatformId(random: RandomBytes): string {
  let drawn = '';
  while (drawn.length < DRAWN) {
    for (const byte of random(DRAWN * 2)) {
      if (byte < FAIR_BYTES && drawn.length < DRAWN) drawn += ALPHABET.charAt(byte % PRIME);
    }
  }
  return withCheck(drawn);
}

/** A Platform ID as people write it: in either case, with or without its hyphens. The pattern stands in the document, without a flag. */
export const GIVEN_PLATFORM_ID = /^[Pp][Ii][Dd]-?([0-9A-Za-z]{4})-?([0-9A-Za-z]{4})$/;

/** The one form of a Platform ID given in either case, with or without its hyphens; null when it is none. */
export function parsePlatformId(text: string): string | null {
  const characters = GIVEN_PLATFORM_ID.exec(text)?.slice(1).join('').toUpperCase() ?? '';
  const isKnown = characters.length === DRAWN + 1 && [...characters].every((character) => ALPHABET.includes(character));
  return isKnown && weightOf(characters) === 0 ? shown(characters) : null;
}

export const PLATFORM_ID_PATTERN = new RegExp(`^PID-[${ALPHABET}]{4}-[${ALPHABET}]{4}$`);
