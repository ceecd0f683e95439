import { expect, test } from 'vitest';
import { typedAmount } from '../../../app/(site)/sales/[slug]/typed-amount.ts';

test('an amount with a decimal comma is never read as ten times as much', () => {
  expect(typedAmount('1,5')).toBe(1_500_000n);
  expect(typedAmount('1,50')).toBe(1_500_000n);
  expect(typedAmount('1,500')).toContain('two ways');
  expect(typedAmount('1.000')).toContain('two ways');
  expect(typedAmount('1,500.5')).toBe(1_500_500_000n);
});

test('nothing is no fault, and what is no amount of XRP says so', () => {
  expect(typedAmount(' ')).toBeNull();
  expect(typedAmount('a lot')).toContain('at most six decimals');
  expect(typedAmount('0.0000001')).toContain('at most six decimals');
  expect(typedAmount('100000000001')).toContain('More than all XRP');
});
