import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { add, compare, divide, formatDecimal, multiply, parseDecimal, subtract } from '../amount.ts';

const decimal = fc
  .tuple(fc.bigInt({ min: -(10n ** 16n) + 1n, max: 10n ** 16n - 1n }), fc.integer({ min: -60, max: 40 }))
  .map(([mantissa, exponent]) => parseDecimal(`${mantissa}e${exponent}`));

describe('issued amounts', () => {
  test('what is written reads back as the same value', () => {
    fc.assert(
      fc.property(decimal, (a) => {
        expect(parseDecimal(formatDecimal(a))).toEqual(a);
      }),
    );
  });

  test('addition is commutative, and a value less itself is zero', () => {
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        expect(add(a, b)).toEqual(add(b, a));
        expect(formatDecimal(subtract(a, a))).toBe('0');
      }),
    );
  });

  test('comparison agrees with the sign of the difference', () => {
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        const sign = subtract(a, b).mantissa;
        if (sign !== 0n) expect(compare(a, b)).toBe(sign > 0n ? 1 : -1);
      }),
    );
  });

  test.each([
    ['1234567890.123456', '1234567890.123456'],
    ['0.0000000000000000123456789012345', '1234567890123450e-32'],
    ['1.234567890123456e-20', '1234567890123456e-35'],
    ['9999999999999999e50', '9999999999999999e50'],
    ['0.10', '0.1'],
    ['-0', '0'],
  ])('%s is spelled as the server spells it', (text, spelled) => {
    expect(formatDecimal(parseDecimal(text))).toBe(spelled);
  });

  test('sixteen digits survive arithmetic that floats would lose', () => {
    const sum = add(parseDecimal('9007199254740993'), parseDecimal('2'));
    expect(formatDecimal(sum)).toBe('9007199254740995');
    expect(formatDecimal(add(parseDecimal('0.1'), parseDecimal('0.2')))).toBe('0.3');
    expect(formatDecimal(divide(parseDecimal('100'), parseDecimal('1.01')))).toBe('99.00990099009901');
    expect(formatDecimal(multiply(parseDecimal('100'), parseDecimal('1.01')))).toBe('101');
  });
});
