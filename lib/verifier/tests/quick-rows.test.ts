import { quickTest } from '@tranche/rules/quick-test.ts';
import { expect, it } from 'vitest';
import type * as z from 'zod';
import {
  allocationRow,
  type PublishedAllocation,
  type PublishedPayment,
  type PublishedPayout,
  publishedPayment,
  publishedPayout,
} from '../published.ts';

const HASH = 'B095A8C470A471BF779BFA187A67912F85EBFF06B0E84B1163FCC6EE835C185A';

const payment: PublishedPayment = {
  transaction_hash: HASH,
  ledger_index: 101,
  transaction_index: 3,
  decided_at: '2026-11-21T12:00:00.000Z',
  payment_ledger_index: 101,
  sender: 'rKGYzL5k2YEKDvmSgnyAh13HoEJHaoZ1JK',
  destination_tag: 7,
  source_tag: null,
  received_xrp: '1.000000',
  outcome: 'invested',
  reason: null,
  invested_xrp: '1.000000',
  refunded_xrp: '0.000000',
  held_xrp: '0.000000',
  rounding_xrp: '0.000000',
  total_tokens: '10.000000',
  investment_id: 'inv_0000000000000000000000',
  assigned_by: null,
};
const allocation: PublishedAllocation = {
  investment_id: 'inv_0000000000000000000000',
  transaction_hash: HASH,
  ledger_index: 101,
  transaction_index: 3,
  investor_account: 'rKGYzL5k2YEKDvmSgnyAh13HoEJHaoZ1JK',
  tier: 1,
  price_per_token: '0.10',
  amount_xrp: '1.000000',
  tokens: '10.000000',
  assigned_by: null,
  confirmed_at: '2026-11-21T12:00:04.000Z',
  decided_at: '2026-11-21T12:00:00.000Z',
};
const payout: PublishedPayout = {
  id: 'pay_0000000000000000000000',
  kind: 'distribution',
  part: 1,
  investment_id: 'inv_0000000000000000000000',
  payment_hash: HASH,
  decided_ledger_index: 101,
  decided_transaction_index: 3,
  account: 'rhfCvwR1dJVsifwbv1TqQ1Nv2UM86vP3cs',
  destination: 'rKGYzL5k2YEKDvmSgnyAh13HoEJHaoZ1JK',
  destination_tag: null,
  amount_xrp: null,
  tokens: '10.000000',
  due_at: '2026-11-21T12:00:00.000Z',
  status: 'validated',
  transaction_hash: HASH,
  ledger_index: 104,
};

it.each<[string, z.ZodType, object]>([
  ['payments', publishedPayment, payment],
  ['allocations', allocationRow, allocation],
  ['payouts', publishedPayout, payout],
])('a row of /%s needs no more than the quick test, and a field less or more goes to the schema', (_, schema, row) => {
  const isRow = quickTest(schema, { otherFields: 'refused' });
  expect(isRow(row)).toBe(true);
  expect(isRow({ ...row, more: 1 })).toBe(false);
  for (const field of Object.keys(row)) {
    expect(isRow(Object.fromEntries(Object.entries(row).filter(([name]) => name !== field)))).toBe(false);
    expect(isRow({ ...row, [field]: [] })).toBe(false);
  }
});
