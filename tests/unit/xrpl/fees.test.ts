import { expect, test } from 'vitest';
import { MAX_FEE_DROPS, transactionFee } from '#lib/xrpl/server-state.ts';

const state = (loadFactor: bigint) => ({ baseFeeDrops: 10n, loadFactor, loadBase: 256n });

test('a fee is base × load × 1.2, rounded up to a whole drop', () => {
  expect(transactionFee(state(256n))).toBe(12n);
  expect(transactionFee(state(257n))).toBe(13n);
  // Recorded from a server whose open ledger was full: it asked for 7,200 drops.
  expect(transactionFee(state(184_320n))).toBe(8_640n);
});

test('a fee never exceeds its ceiling', () => {
  expect(transactionFee(state(256n * 10n ** 9n))).toBe(MAX_FEE_DROPS);
});
