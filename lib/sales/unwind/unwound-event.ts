import type { projects } from '#drizzle/schema/sale.ts';
import { formatDrops } from '#lib/base/money.ts';
import type { NewEvent } from '#lib/events/envelope.ts';
import type { Unwound } from './write-unwound.ts';

/** `investment.failed` for those that got no token at all. It was confirmed before: the event is its first of this name. */
export function unwoundEvents(
  project: typeof projects.$inferSelect,
  unwound: readonly Unwound[],
): NewEvent<'investment.failed'>[] {
  return unwound
    .filter(({ distributed }) => !distributed)
    .map(({ investment, payment }) => ({
      type: 'investment.failed',
      subject: payment.txHash,
      projectId: project.id,
      occurredAt: project.endedAt ?? payment.closedAt,
      data: {
        investment_id: investment.id,
        project_id: project.id,
        investor_account: investment.investorAccount,
        amount_xrp: formatDrops(payment.receivedDrops),
        // Nothing else takes back what was confirmed.
        reason: project.endReason === 'soft_cap_missed' ? 'soft_cap_missed' : 'cancelled',
        transaction: { hash: payment.txHash, ledger_index: payment.ledgerIndex },
        status: 'failed',
      },
    }));
}
