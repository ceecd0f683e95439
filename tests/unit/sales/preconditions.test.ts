import { describe, expect, test } from 'vitest';
import type { PaymentRow } from '#drizzle/schema/sale.ts';
import { whyNotAssignable, whyNotRefundable } from '#lib/sales/held/preconditions.ts';
import { CLOSED_AT_MS, DEPOSIT, XRP } from '#tests/support/sale.ts';

const heldWhole: PaymentRow = {
  txHash: 'A'.repeat(64),
  account: DEPOSIT,
  ledgerIndex: 101,
  transactionIndex: 0,
  closedAt: new Date(CLOSED_AT_MS),
  transactionType: 'Payment',
  sender: 'rInvestor',
  destinationTag: 77,
  sourceTag: null,
  projectId: null,
  outcome: 'held',
  reason: 'unknown_tag',
  receivedDrops: 5n * XRP,
  investedDrops: 0n,
  refundedDrops: 0n,
  heldDrops: 5n * XRP,
  createdAt: new Date(CLOSED_AT_MS),
};
const nothingElse = { isInvestment: false, openAssign: null, isOfEarlierPeriod: false };

describe('what is held whole', () => {
  test('can be assigned when it came by a Payment', () => {
    expect(whyNotAssignable(heldWhole, nothingElse)).toBeNull();
  });

  test.each(['CheckCash', 'EscrowFinish', 'AccountDelete'])(
    'by %s is never assignable, as the rule book has it, but can be sent back',
    (transactionType) => {
      const arrived = { ...heldWhole, transactionType };
      expect(whyNotAssignable(arrived, nothingElse)).toBe(
        `What arrives by ${transactionType} is never credited: refund it.`,
      );
      expect(whyNotRefundable(arrived, nothingElse)).toBeNull();
    },
  );
});
