import { and, asc, eq, inArray } from 'drizzle-orm';
import { type PayoutRow, payouts } from '#drizzle/schema/payouts.ts';
import { type PaymentRow, payments, projects } from '#drizzle/schema/sale.ts';
import type { Db, Tx } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { formatDrops } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import { lockDepositAccount } from '../feed/load-state.ts';
import type { PaymentResource } from './contracts.ts';
import { loadPreconditions, type Preconditions, whyNotAssignable, whyNotRefundable } from './preconditions.ts';

const HASH_FORM = /^[0-9A-F]{64}$/;

/** One payment by its transaction hash. Throws `not_found`. */
export async function findPayment(db: Db, transactionHash: string): Promise<PaymentRow> {
  const [row] = HASH_FORM.test(transactionHash)
    ? await db.select().from(payments).where(eq(payments.txHash, transactionHash))
    : [];
  if (row === undefined) {
    throw new PlatformError(
      'not_found',
      'No such payment is recorded. POST /api/system/process-transactions looks for it on the ledger.',
    );
  }
  return row;
}

/**
 * Locks a payment with its deposit account, in the order in which the feed and the actions lock them: who holds the account
 * decides alone what becomes of it. Throws `not_found`.
 */
export async function lockPayment(tx: Tx, transactionHash: string): Promise<PaymentRow> {
  const { account } = await findPayment(tx, transactionHash);
  await lockDepositAccount(tx, account);
  const [row] = await tx.select().from(payments).where(eq(payments.txHash, transactionHash)).for('update');
  return row ?? findPayment(tx, transactionHash);
}

/** One payment, held or not, with its refunds and what may be done with it. Throws `not_found`. */
export async function getPayment(ctx: Ctx, transactionHash: string): Promise<PaymentResource> {
  const row = await findPayment(ctx.db, transactionHash);
  const [resource] = await loadPaymentResources(ctx.db, [row], ctx.clock.nowMs());
  if (resource === undefined) throw new Error(`Payment ${transactionHash} is gone`);
  return resource;
}

/** Resources for rows already read, in their order: three more queries for any number. */
export async function loadPaymentResources(
  db: Db,
  rows: readonly PaymentRow[],
  nowMs: number,
): Promise<PaymentResource[]> {
  if (rows.length === 0) return [];
  const hashes = rows.map((row) => row.txHash);
  const preconditionsOf = await loadPreconditions(db, hashes);
  const refundRows = await db
    .select()
    .from(payouts)
    .where(and(eq(payouts.kind, 'refund'), inArray(payouts.paymentHash, hashes)))
    .orderBy(asc(payouts.part));
  const refundsOf = Map.groupBy(refundRows, (row) => row.paymentHash);
  return rows.map((row) => resourceOf(row, preconditionsOf(row.txHash), refundsOf.get(row.txHash) ?? [], nowMs));
}

function resourceOf(
  row: PaymentRow,
  preconditions: Preconditions,
  refunds: readonly PayoutRow[],
  nowMs: number,
): PaymentResource {
  const notAssignable = whyNotAssignable(row, preconditions);
  const notRefundable = whyNotRefundable(row, preconditions);
  const { openAssign } = preconditions;
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
    not_assignable_reason: notAssignable,
    refundable: notRefundable === null,
    not_refundable_reason: notRefundable,
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

const publicFields = ({
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
export type PublicPayment = ReturnType<typeof publicFields>;

/**
 * Of payments in the records, what the ledger shows anyway, and what was decided about them. Until a project is launched
 * nobody is told that a tag is its own: a payment to it looks like one to a tag that no project has.
 */
export async function publicPayments(db: Db, payments: readonly PaymentResource[]): Promise<PublicPayment[]> {
  const named = payments.flatMap(({ project_id }) => project_id ?? []);
  const drafts =
    named.length === 0
      ? []
      : await db
          .select({ id: projects.id })
          .from(projects)
          .where(and(inArray(projects.id, named), eq(projects.status, 'draft')));
  const draftIds = new Set(drafts.map(({ id }) => id));
  return payments
    .map(publicFields)
    .map((payment) =>
      payment.project_id === null || !draftIds.has(payment.project_id)
        ? payment
        : { ...payment, project_id: null, reason: payment.reason === 'not_active' ? 'unknown_tag' : payment.reason },
    );
}
