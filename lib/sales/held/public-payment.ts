import { and, eq, inArray } from 'drizzle-orm';
import { projects } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/base/db.ts';
import type { PaymentResource } from './contracts.ts';

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
 * Of payments in the books, what the ledger shows anyway, and what was decided about them. Until a project is launched
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
