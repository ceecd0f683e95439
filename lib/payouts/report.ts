import { toIso } from '#lib/base/clock.ts';
import { formatDrops, formatUnits } from '#lib/base/money.ts';
import type { NewEvent } from '#lib/events/envelope.ts';
import type { Payout } from './types.ts';

/** The event of a payout that is validated; null for the refund of a payment that belongs to no investment. */
export function payoutEvent(
  payout: Payout,
  transaction: { hash: string; ledgerIndex: number; closedAtMs: number },
): NewEvent | null {
  if (payout.investmentId === null || payout.projectId === null) return null;
  const occurredAt = new Date(transaction.closedAtMs);
  const common = {
    investment_id: payout.investmentId,
    project_id: payout.projectId,
    investor_account: payout.destination,
    payout_id: payout.id,
    transaction: { hash: transaction.hash, ledger_index: transaction.ledgerIndex },
  };
  const about = { subject: payout.id, projectId: payout.projectId, occurredAt };
  if (payout.asset.kind === 'xrp') {
    return {
      type: 'investment.refunded',
      ...about,
      data: { ...common, amount_xrp: formatDrops(payout.amount), refunded_at: toIso(occurredAt) },
    };
  }
  return {
    type: 'investment.tokens_distributed',
    ...about,
    data: {
      ...common,
      part: payout.part,
      tokens: formatUnits(payout.amount, payout.asset.decimals),
      distributed_at: toIso(occurredAt),
    },
  };
}
