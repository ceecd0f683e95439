import fc from 'fast-check';
import { expect, test } from 'vitest';
import { priceCodec, xrpCodec } from '#lib/base/money-codecs.ts';
import { typedNumber } from '#lib/base/typed-number.ts';

test.each([
  ['1,5', '1.5'],
  ['0,125', '0.125'],
  [',5', '0.5'],
  ['.5', '0.5'],
  ['12.50', '12.50'],
  ['1.500', '1.500'],
  ['0.000', '0.000'],
  ['1000.000000', '1000.000000'],
  ['1,000.5', '1000.5'],
  ['1,250,000', '1250000'],
  ['1.250.000', '1250000'],
  ['1.250.000,50', '1250000.50'],
  ['1 250 000,5', '1250000.5'],
  ["1'250'000", '1250000'],
  [' 7 ', '7'],
])('%s is read as %s', (typed, read) => expect(typedNumber(typed)).toBe(read));

test('a point before three zeros reads two ways, as a comma does', () => {
  expect(typedNumber('1.000')).toBe('1,000');
  expect(typedNumber(' 250.000 ')).toBe('250,000');
});

test.each(['1,000', '12,345', '1,2,3', '12a', '1e3', '-5', '1,00,000', ''])('%s is left to be refused', (typed) =>
  expect(typedNumber(typed)).toBe(typed),
);

test('whole numbers grouped in any usual way are read as they are', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1_000_000, max: 2_000_000_000 }), (number) => {
      for (const language of ['en', 'de', 'fr', 'de-CH']) {
        expect(typedNumber(number.toLocaleString(language))).toBe(String(number));
      }
    }),
  );
});

test('a number with a comma that two readers may read differently is refused, and the refusal says why', () => {
  for (const codec of [xrpCodec, priceCodec]) {
    expect(codec.safeParse('1,000').error?.issues[0]?.message).toContain('two ways');
    expect(codec.safeParse('abc').error?.issues[0]?.message).not.toContain('two ways');
  }
});
