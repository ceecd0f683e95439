import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wrappedText } from '../../../app/(site)/_social/wrapped-text.ts';

/** Of all there are, and of the range where most of the font’s lie. */
const letter = fc.oneof(fc.integer({ min: 0, max: 0x10ffff }), fc.integer({ min: 0, max: 0x2100 }));
const letters = fc.array(letter, { maxLength: 120 }).map((codes) => String.fromCodePoint(...codes));

test('a card asks no other host for a letter: what its font does not have is left out', () => {
  expect(wrappedText('Hafen 港 Šibenik 🚢 – “pier”', 70)).toBe('Hafen Šibenik – “pier”');
  expect(wrappedText('港湾', 70)).toBe('');
  fc.assert(
    fc.property(letters, fc.integer({ min: 1, max: 80 }), (text, most) => {
      const drawn = wrappedText(text, most);
      expect(drawn.length).toBeLessThanOrEqual(most);
      expect([...drawn].every((letter) => /[\x20-\x7e\xa0-\u024f–—‘’“”…]/u.test(letter))).toBe(true);
    }),
  );
});
