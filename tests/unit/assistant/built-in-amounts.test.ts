import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amountsIn, readings, xrpFault } from '#lib/assistant/built-in/amounts.ts';

const EXACT: [text: string, value: string, unit: 'xrp' | 'tokens' | 'other' | null][] = [
  ['500 XRP', '500', 'xrp'],
  ['500XRP', '500', 'xrp'],
  ['XRP 500', '500', 'xrp'],
  ['1,500.25 xrp', '1500.25', 'xrp'],
  ['1.500,25 XRP', '1500.25', 'xrp'],
  ["1'500 XRP", '1500', 'xrp'],
  ['1 500 XRP', '1500', 'xrp'],
  ['1,000 XRP', '1000', 'xrp'],
  ['1,234,567 XRP', '1234567', 'xrp'],
  ['1.234.567 XRP', '1234567', 'xrp'],
  ['1,5 XRP', '1.5', 'xrp'],
  ['0.5 xrp', '0.5', 'xrp'],
  ['.5 xrp', '0.5', 'xrp'],
  ['0.500 xrp', '0.5', 'xrp'],
  ['1000.000 XRP', '1000', 'xrp'],
  ['500.000000 XRP', '500', 'xrp'],
  ['1.5k XRP', '1500', 'xrp'],
  ['2k', '2000', null],
  ['1.5 thousand XRP', '1500', 'xrp'],
  ['3 million xrp', '3000000', 'xrp'],
  ['half a thousand XRP', '500', 'xrp'],
  ['half a thousand of the XRP', '500', 'xrp'],
  ['half a million xrp', '500000', 'xrp'],
  ['a hundred XRP', '100', 'xrp'],
  ['five hundred XRP', '500', 'xrp'],
  ['fifteen hundred xrp', '1500', 'xrp'],
  ['two thousand five hundred xrp', '2500', 'xrp'],
  ['one hundred and fifty XRP', '150', 'xrp'],
  ['twenty-five XRP', '25', 'xrp'],
  ['one XRP', '1', 'xrp'],
  ['5000000 drops', '5', 'xrp'],
  ['３万５千XRP', '35000', 'xrp'],
  ['70xpr', '70', 'xrp'],
  ['three hundred X R P', '300', 'xrp'],
  ['1 drop', '0.000001', 'xrp'],
  ['1000 tokens', '1000', 'tokens'],
  ['$500', '500', 'other'],
  ['500 euros', '500', 'other'],
  ['1000', '1000', null],
];

describe('an amount in a text', () => {
  test.each(EXACT)('%s is exactly %s', (text, value, unit) => {
    for (const sentence of [text, `what does ${text} buy?`, `${text}, please`]) {
      expect(amountsIn(sentence)).toMatchObject([{ kind: 'exact', value, unit }]);
    }
  });

  test.each([
    ['1.000 XRP', ['1', '1000']],
    ['25.500 xrp', ['25.5', '25500']],
  ])('%s can be read in two ways, and is not guessed', (text, both) => {
    expect(amountsIn(text)).toMatchObject([{ kind: 'ambiguous', readings: both }]);
  });

  test.each(['a few hundred xrp', 'a couple of thousand XRP', 'several million'])('%s is too vague', (text) => {
    expect(amountsIn(text)).toMatchObject([{ kind: 'ambiguous', readings: [] }]);
  });

  test('every plain decimal is read as it stands', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 17n), fc.integer({ min: 1, max: 6 }), (scaled, digits) => {
        const text = scaled.toString().padStart(digits + 1, '0');
        const decimal = `${text.slice(0, -digits)}.${text.slice(-digits)}`;
        fc.pre(digits !== 3 || text.length > 6 || decimal.startsWith('0'));
        const [value, ...others] = readings(decimal);
        expect(others).toEqual([]);
        expect(Number(value)).toBe(Number(decimal));
      }),
    );
  });

  test('several amounts keep their order', () => {
    expect(amountsIn('500 XRP or 1,000 XRP?').map((amount) => amount.kind === 'exact' && amount.value)).toEqual([
      '500',
      '1000',
    ]);
  });

  test('tiers, ids and addresses are no amounts', () => {
    for (const text of ['tier 2', 'X-Address', 'webhook2', 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh']) {
      expect(amountsIn(text)).toEqual([]);
    }
  });

  test('what cannot be paid says why', () => {
    expect(xrpFault('0')).toBe('zero');
    expect(xrpFault('0.0000001')).toBe('too_fine');
    expect(xrpFault('100000000001')).toBe('too_much');
    expect(xrpFault('100000000000')).toBeNull();
  });
});

test.each(['100 jetons', '100 fichas', '100 moedas', '100 Münzen', '100トークン', '100枚'])(
  'a number of tokens in another language is no amount of XRP: %s',
  (text) => {
    expect(amountsIn(text)).toMatchObject([{ value: '100', unit: 'tokens' }]);
  },
);

test.each([
  'is it ok if I use 2 wallets',
  'I have 3 questions, how do I pay?',
  'I paid with 2 different accounts',
  'tengo 2 carteras',
  'ich habe 2 Konten',
  'can my 16 year old son invest',
  '2つのウォレット',
  'our app has 4000 installs and 12 shops use it',
])('what counts other things than money is no amount: %s', (text) => {
  expect(amountsIn(text).filter(({ unit }) => unit !== 'other')).toEqual([]);
});

test.each([
  ['2千XRPで何枚', '2000'],
  ['1万 XRP', '10000'],
  ['5 tausend XRP', '5000'],
  ['5 mille XRP', '5000'],
  ['3 millones XRP', '3000000'],
])('thousands are read in the languages of the answers: %s', (text, value) => {
  expect(amountsIn(text)).toMatchObject([{ kind: 'exact', value, unit: 'xrp' }]);
});

test('“2 mil XRP”, a thousand in Spanish and a million in English, is read in both ways', () => {
  expect(amountsIn('2 mil XRP')).toMatchObject([{ kind: 'ambiguous', readings: ['2000', '2000000'] }]);
});
