import type { SaleState } from '@tranche/rules/types.ts';
import { expect, test } from 'vitest';
import { newProgress } from '../progress.ts';
import { added } from '../rows.ts';

const rows = [{ id: 'pay_a' }, { id: 'pay_b' }, { id: 'pay_c' }];
const keyOf = () => newProgress(9, 1_000, { afterLedger: 3, through: 8 }, {} as SaleState).digestKey;
const sum = (key: string, list: readonly object[]): bigint =>
  list.reduce<bigint>((sofar, row) => added(sofar, key, row), 0n);

test('the same rows have the same digest in any order, and others another', () => {
  const key = keyOf();
  expect(sum(key, rows.toReversed())).toBe(sum(key, rows));
  expect(sum(key, rows.slice(1))).not.toBe(sum(key, rows));
  expect(sum(key, [...rows, ...rows.slice(2)])).not.toBe(sum(key, rows));
});

test('nobody who publishes rows can look for others with the same digest: its key is drawn by each verification', () => {
  const [one, other] = [keyOf(), keyOf()];
  expect(one).not.toBe(other);
  expect(sum(one, rows)).not.toBe(sum(other, rows));
});
