import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ALPHABET,
  newPlatformId,
  PLATFORM_ID_PATTERN,
  parsePlatformId,
  withCheck,
} from '#lib/accounts/platform-ids/platform-id-form.ts';

const character = fc.constantFrom(...ALPHABET);
const platformId = fc.array(character, { minLength: 7, maxLength: 7 }).map((drawn) => withCheck(drawn.join('')));
/** Places of the characters in `PID-XXXX-XXXX`. */
const LINKS = [4, 5, 6, 7, 9, 10, 11, 12] as const;

const changed = (text: string, changes: Readonly<Record<number, string>>) =>
  [...text].map((old, index) => changes[index] ?? old).join('');

describe('a Platform ID', () => {
  test('has the form PID-XXXX-XXXX, and its own check', () => {
    for (let i = 0; i < 500; i++) {
      const made = newPlatformId(randomBytes);
      expect(made).toMatch(/^PID-[0-9A-Z]{4}-[0-9A-Z]{4}$/);
      expect(made).toMatch(PLATFORM_ID_PATTERN);
      expect(parsePlatformId(made)).toBe(made);
    }
  });

  test('has no two characters that are mistaken for one another, and no vowel', () => {
    const lookAlikes = ['0OQD', '1IL', '2Z', '5S', '6G', '8B', 'UV'];
    for (const group of lookAlikes) {
      expect([...group].filter((each) => ALPHABET.includes(each)).length, group).toBeLessThanOrEqual(1);
    }
    expect(ALPHABET).not.toMatch(/[AEIOU]/);
    expect(new Set(ALPHABET).size).toBe(ALPHABET.length);
  });

  test('with any one character replaced is none', () => {
    fc.assert(
      fc.property(platformId, fc.constantFrom(...LINKS), character, (given, index, other) => {
        fc.pre(given.charAt(index) !== other);
        expect(parsePlatformId(changed(given, { [index]: other }))).toBeNull();
      }),
    );
  });

  test('with any two of its characters in each other’s place is none', () => {
    fc.assert(
      fc.property(platformId, fc.constantFrom(...LINKS), fc.constantFrom(...LINKS), (given, one, other) => {
        const [first, second] = [given.charAt(one), given.charAt(other)];
        fc.pre(first !== second);
        expect(parsePlatformId(changed(given, { [one]: second, [other]: first }))).toBeNull();
      }),
    );
  });

  test('is read in either case, with and without its hyphens, and in no other form', () => {
    fc.assert(
      fc.property(platformId, (given) => {
        const bare = given.replaceAll('-', '');
        for (const form of [given.toLowerCase(), bare, bare.toLowerCase()]) expect(parsePlatformId(form)).toBe(given);
        for (const form of [`${given} `, given.slice(4), given.replaceAll('-', '_'), `${given}2`, given.slice(0, -1)]) {
          expect(parsePlatformId(form)).toBeNull();
        }
      }),
    );
    for (const text of ['', 'PID', 'PID----------', 'PID-0000-0000', 'pıd-2222-2222']) {
      expect(parsePlatformId(text)).toBeNull();
    }
  });

  test('is drawn without favour: bytes that would favour a character are thrown away', () => {
    const bytes = Uint8Array.from([255, 254, 253, 252, 0, 23, 46, 22, 1, 2]);
    // 252 = 10 * 23 + 22 is the last byte that is used.
    expect(newPlatformId(() => bytes)).toBe(withCheck('Y222Y34'));
  });
});
