import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  currencyName,
  formatAmount,
  formatCounted,
  formatDuration,
  formatReadable,
  formatTime,
  shortened,
} from '../../../app/(site)/_ui/format.ts';

describe('an amount as people read it', () => {
  it.each([
    ['0.000000', '0'],
    ['1234567.500000', '1,234,567.5'],
    ['0.000001', '0.000001'],
    ['100000000000.000000', '100,000,000,000'],
    ['-5.000000', '-5'],
    ['12', '12'],
  ])('%s is %s', (given, shown) => {
    expect(formatAmount(given)).toBe(shown);
  });

  test('loses no digit, whatever its size: the commas taken out, it is the same number', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.integer({ min: 0, max: 999_999 }), (whole, fraction) => {
        const given = `${whole}.${String(fraction).padStart(6, '0')}`;
        const [back, rest = ''] = formatAmount(given).replaceAll(',', '').split('.');
        expect(`${back}.${rest.padEnd(6, '0')}`).toBe(given);
      }),
    );
  });

  it('refuses what is no plain decimal instead of showing something else', () => {
    for (const text of ['', '1e5', 'NaN', '1,000', '.5']) expect(() => formatAmount(text)).toThrow(TypeError);
  });
});

test('a currency of 40 hex digits is shown as the letters it holds, and as hex when it holds none', () => {
  expect(currencyName('DMO')).toBe('DMO');
  expect(currencyName('524C555344000000000000000000000000000000')).toBe('RLUSD');
  expect(currencyName('0158415500000000C1F76FF6ECB0BAC600000000')).toBe('01584155…');
});

test('a time says its zone, a span its largest whole unit, a count what it counts, and an address keeps both ends', () => {
  expect(formatTime('2026-11-21T19:46:12.000Z')).toBe('21 Nov 2026, 19:46:12 UTC');
  expect([
    formatDuration(-1),
    formatDuration(1),
    formatDuration(59),
    formatDuration(3_600),
    formatDuration(200_000),
  ]).toEqual(['0 seconds', '1 second', '59 seconds', '1 hour', '2 days']);
  expect([formatCounted(1, 'wallet'), formatCounted(0, 'wallet'), formatCounted(1_200, 'entry', 'entries')]).toEqual([
    '1 wallet',
    '0 wallets',
    '1,200 entries',
  ]);
  expect(shortened('rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh')).toBe('rHb9CJ…wdtyTh');
});

describe('an amount for reading', () => {
  test.each([
    ['1234.567891', '1,234.56'],
    ['1234.000001', '1,234'],
    ['2.999999', '2.99'],
    ['0.123456', '0.123456'],
    ['0.000001', '0.000001'],
    ['250.000000', '250'],
    ['10.50', '10.5'],
  ])('%s is read as %s', (given, shown) => expect(formatReadable(given)).toBe(shown));

  test('is never more than the amount itself, and less than a hundredth below it', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 18n }), (millionths) => {
        const text = `${millionths / 1_000_000n}.${String(millionths % 1_000_000n).padStart(6, '0')}`;
        const [whole = '0', rest = ''] = formatReadable(text).replaceAll(',', '').split('.');
        const read = BigInt(whole) * 1_000_000n + BigInt(rest.padEnd(6, '0'));
        expect(read <= millionths && millionths - read < 10_000n).toBe(true);
      }),
    );
  });
});

test('a time in another zone names it', () => {
  expect(formatTime('2026-11-21T19:46:12.000Z')).toBe('21 Nov 2026, 19:46:12 UTC');
  expect(formatTime('2026-11-21T23:46:12.000Z', 'Europe/Berlin')).toMatch(/^22 Nov 2026, 00:46:12 (?:CET|GMT\+1)$/);
});
