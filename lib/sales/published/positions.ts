import { z } from 'zod';

/** Where a decision fell in the deposit account's feed. */
export interface DecisionPosition {
  ledgerIndex: number;
  transactionIndex: number;
}

/** Where a payout stands when they are sorted by their payments: locks come after them, and releases last, both by id. */
export interface PayoutPosition extends DecisionPosition {
  kind: 'distribution' | 'refund' | 'release' | 'lock';
  part: number;
  /** Of a lock or release; else empty. */
  id: string;
}

/** Where a payout that is validated stands on the ledger. */
export interface PaidPosition {
  ledgerIndex: number;
  transactionHash: string;
}

export const parseDecisionCursor = z
  .string()
  .regex(/^\d{1,10}-\d{1,9}$/, 'must be <ledger_index>-<transaction_index> of a row')
  .transform((text): DecisionPosition => {
    const [ledgerIndex = 0, transactionIndex = 0] = text.split('-').map(Number);
    return { ledgerIndex, transactionIndex };
  });

const BY_PAYMENT = /^(\d{1,10})-(\d{1,9})-(distribution|refund)-(\d{1,6})$/;
const OF_NO_PAYMENT = /^(lock|release)-(pay_[0-9A-Za-z]{22})$/;
const PAID = /^(\d{1,10})-([0-9A-F]{64})$/;
const AFTER_PAYMENTS = 9_999_999_999;

/** A cursor of `order=payment`, or null when it is none. */
export function parsePayoutCursor(text: string): PayoutPosition | null {
  const byPayment = BY_PAYMENT.exec(text);
  if (byPayment !== null) {
    const [, ledger, transaction, kind, part] = byPayment;
    return {
      ledgerIndex: Number(ledger),
      transactionIndex: Number(transaction),
      kind: kind === 'refund' ? 'refund' : 'distribution',
      part: Number(part),
      id: '',
    };
  }
  const [, kind, id] = OF_NO_PAYMENT.exec(text) ?? [];
  if (id === undefined) return null;
  return { ledgerIndex: AFTER_PAYMENTS, transactionIndex: 0, kind: kind === 'lock' ? 'lock' : 'release', part: 1, id };
}

/** A cursor of `order=ledger`, or null when it is none. */
export function parsePaidCursor(text: string): PaidPosition | null {
  const match = PAID.exec(text);
  return match === null ? null : { ledgerIndex: Number(match[1]), transactionHash: match[2] ?? '' };
}

/** A cursor of either order. */
export const PAYOUT_CURSOR = new RegExp([BY_PAYMENT, OF_NO_PAYMENT, PAID].map(({ source }) => source).join('|'));
