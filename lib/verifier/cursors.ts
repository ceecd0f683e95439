import type { Progress } from './progress.ts';
import type { AllocationRow, PublishedPayment, PublishedPayout } from './published.ts';
import { Rows } from './rows.ts';
import type { PublishedSource } from './types.ts';

/** Cursors as the streams take them, made of a row. */
export const paymentCursor = (row: PublishedPayment) => `${row.ledger_index}-${row.transaction_index}`;
export const allocationCursor = (row: AllocationRow) => `${row.ledger_index}-${row.transaction_index}-${row.tier}`;
export const payoutCursor = (row: PublishedPayout) =>
  row.kind === 'release'
    ? `release-${row.id}`
    : `${row.decided_ledger_index}-${row.decided_transaction_index}-${row.kind}-${row.part}`;
export const paidCursor = (row: PublishedPayout) => `${row.ledger_index}-${row.transaction_hash}`;

const LAST_HASH = 'F'.repeat(64);
const LAST_PART = 999_999;

/**
 * Where a later reading goes on after whole ledgers, or after all payouts of a payment: what was recorded meanwhile of what
 * has been compared stands before it.
 */
export const afterLedger = (ledger: number) => `${ledger}-${LAST_HASH}`;
export const afterPayment = (row: PublishedPayment) => `${paymentCursor(row)}-refund-${LAST_PART}`;

/** The rows of a sale from where the verification stands; of payments that are taken, `onPayment` is told. */
export const openRows = (
  source: PublishedSource,
  projectId: string,
  progress: Progress,
  onPayment: (row: PublishedPayment) => void,
) => ({
  payments: () =>
    new Rows(
      (cursor) => source.payments(projectId, progress.asOf, cursor),
      progress.cursors.payments,
      paymentCursor,
      onPayment,
    ),
  allocations: () =>
    new Rows(
      (cursor) => source.allocations(projectId, progress.asOf, cursor),
      progress.cursors.allocations,
      allocationCursor,
    ),
  payouts: () =>
    new Rows((cursor) => source.payouts(projectId, progress.asOf, cursor), progress.cursors.payouts, payoutCursor),
  paid: (account: string, after: string | null) =>
    new Rows((cursor) => source.paid(projectId, progress.asOf, account, cursor), after, paidCursor),
});
