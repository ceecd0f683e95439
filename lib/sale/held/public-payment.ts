import type { PaymentResource } from './contracts.ts';

/** Of a payment in the books, what the ledger shows anyway, and what was decided about it. */
export const publicPayment = ({
  transaction_hash,
  ledger_index,
  closed_at,
  account,
  sender,
  destination_tag,
  project_id,
  outcome,
  reason,
  received_xrp,
  invested_xrp,
  refunded_xrp,
  held_xrp,
  refunds,
}: PaymentResource) => ({
  transaction_hash,
  ledger_index,
  closed_at,
  account,
  sender,
  destination_tag,
  project_id,
  outcome,
  reason,
  received_xrp,
  invested_xrp,
  refunded_xrp,
  held_xrp,
  refunds: refunds.map(({ amount_xrp, status, reason, transaction_hash }) => ({
    amount_xrp,
    status,
    reason,
    transaction_hash,
  })),
});
export type PublicPayment = ReturnType<typeof publicPayment>;
