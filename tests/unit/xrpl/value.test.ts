import { parseLedgerValue } from '@tranche/rules/exact-decimal.ts';
import { describe, expect, test } from 'vitest';
import { hasRoom } from '#lib/xrpl/trust-lines.ts';

describe('amounts as the ledger writes them', () => {
  test.each([
    ['206.009900990099', 6, 206_009_900n],
    ['0', 6, 0n],
    ['-99748.75', 2, -9_974_875n],
    ['1000000000000000e-4', 0, 100_000_000_000n],
    ['9999999999999999e80', 0, 9_999_999_999_999_999n * 10n ** 80n],
    ['1000000000000000e-96', 6, 0n],
    ['-1e-7', 6, -1n],
    ['1e2', 3, 100_000n],
  ])('%s with %i decimals is %i units, rounded down', (text, decimals, units) => {
    expect(parseLedgerValue(text, decimals)).toBe(units);
  });

  test('other text is refused', () => {
    for (const text of ['', '1,5', 'NaN', '1e', '0x10', '1e9999']) expect(() => parseLedgerValue(text, 6)).toThrow();
  });

  test('room is compared to the last digit', () => {
    expect(hasRoom({ limit: '10.5', balance: '0.5' }, 10n, 0)).toBe(true);
    expect(hasRoom({ limit: '10.5', balance: '0.50000001' }, 10n, 0)).toBe(false);
    expect(hasRoom({ limit: '0', balance: '0' }, 1n, 6)).toBe(false);
    expect(hasRoom({ limit: '1000000000000000e-4', balance: '1e-81' }, 10n ** 17n, 6)).toBe(false);
    expect(hasRoom({ limit: '1000000000000000e-4', balance: '0' }, 10n ** 17n, 6)).toBe(true);
  });
});
