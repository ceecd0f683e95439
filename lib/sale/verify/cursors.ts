import type { AllocationRow } from '../allocations/contracts.ts';
import type { PublishedPayment, PublishedPayout } from '../published/contracts.ts';
import { chained } from './digest.ts';
import type { Progress } from './progress.ts';
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

/** The rows of a sale from where the verification stands; what is taken of them is counted in it. */
export const openRows = (source: PublishedSource, projectId: string, progress: Progress) => ({
  payments: (again = false) =>
    new Rows(
      (cursor) => source.payments(projectId, progress.asOf, cursor),
      progress.cursors.payments,
      paymentCursor,
      (row) => {
        const field = again ? 'paymentsReadAgain' : 'paymentsRead';
        progress[field] = chained(progress[field], row);
      },
    ),
  allocations: () =>
    new Rows(
      (cursor) => source.allocations(projectId, progress.asOf, cursor),
      progress.cursors.allocations,
      allocationCursor,
    ),
  payouts: () =>
    new Rows((cursor) => source.payouts(projectId, progress.asOf, cursor), progress.cursors.payouts, payoutCursor),
  paid: (account: string) =>
    new Rows((cursor) => source.paid(projectId, progress.asOf, account, cursor), progress.cursors.paid, paidCursor),
});
