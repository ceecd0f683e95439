import { and, asc, eq, inArray } from 'drizzle-orm';
import { payouts } from '#drizzle/schema/payouts.ts';
import type { Db } from '#lib/base/db.ts';
import { formatDrops } from '#lib/base/money.ts';
import type { PaymentRow } from '../feed/load-state.ts';
import { type KnownCircumstances, loadCircumstances } from './circumstances.ts';
import type { PaymentResource } from './contracts.ts';
import { assignObstacle, refundObstacle } from './obstacles.ts';

type PayoutRow = typeof payouts.$inferSelect;

/** Resources for rows already read, in their order: three more queries for any number. */
export async function loadPaymentResources(
  db: Db,
  rows: readonly PaymentRow[],
  nowMs: number,
): Promise<PaymentResource[]> {
  if (rows.length === 0) return [];
  const hashes = rows.map((row) => row.txHash);
  const circumstancesOf = await loadCircumstances(db, hashes);
  const refundRows = await db
    .select()
    .from(payouts)
    .where(and(eq(payouts.kind, 'refund'), inArray(payouts.paymentHash, hashes)))
    .orderBy(asc(payouts.part));
  const refundsOf = Map.groupBy(refundRows, (row) => row.paymentHash);
  return rows.map((row) => resourceOf(row, circumstancesOf(row.txHash), refundsOf.get(row.txHash) ?? [], nowMs));
}

function resourceOf(
  row: PaymentRow,
  circumstances: KnownCircumstances,
  refunds: readonly PayoutRow[],
  nowMs: number,
): PaymentResource {
  const notAssignable = assignObstacle(row, circumstances);
  const notRefundable = refundObstacle(row, circumstances);
  const { openAssign } = circumstances;
  return {
    transaction_hash: row.txHash,
    transaction_type: row.transactionType,
    ledger_index: row.ledgerIndex,
    closed_at: row.closedAt.toISOString(),
    // Close times may run ahead of this clock.
    age_seconds: Math.max(0, Math.floor((nowMs - row.closedAt.getTime()) / 1000)),
    account: row.account,
    sender: row.sender,
    destination_tag: row.destinationTag,
    source_tag: row.sourceTag,
    project_id: row.projectId,
    outcome: row.outcome,
    reason: row.reason,
    received_xrp: formatDrops(row.receivedDrops),
    invested_xrp: formatDrops(row.investedDrops),
    refunded_xrp: formatDrops(row.refundedDrops),
    held_xrp: formatDrops(row.heldDrops),
    assignable: notAssignable === null,
    not_assignable_because: notAssignable,
    refundable: notRefundable === null,
    not_refundable_because: notRefundable,
    pending_assign:
      openAssign === null ? null : { project_id: openAssign.projectId, transaction_hash: openAssign.txHash },
    refunds: refunds.map((refund) => ({
      id: refund.id,
      amount_xrp: formatDrops(refund.amount),
      destination_tag: refund.destinationTag,
      status: refund.status,
      reason: refund.reason,
      transaction_hash: refund.txHash,
    })),
  };
}
