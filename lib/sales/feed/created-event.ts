import { formatDrops, formatPrice, formatUnits } from '#lib/base/money.ts';
import type { NewEvent } from '#lib/events/envelope.ts';
import type { Quote } from '#lib/rules/quote-payments.ts';
import { investmentId } from '../investment-id.ts';

/** `investment.created`: the quote with every earlier payment counted. */
export function createdEvent(quote: Quote): NewEvent<'investment.created'> {
  const { payment } = quote;
  const paidAt = new Date(payment.closedAtMs);
  return {
    type: 'investment.created',
    subject: payment.hash,
    projectId: quote.projectId,
    occurredAt: paidAt,
    data: {
      investment_id: investmentId(payment.hash),
      project_id: quote.projectId,
      investor_account: payment.sender,
      amount_xrp: formatDrops(payment.receivedDrops),
      tier_info: {
        tier: quote.tier,
        price_per_token: formatPrice(quote.price),
        tokens_expected: formatUnits(quote.units, quote.decimals),
      },
      transaction: {
        hash: payment.hash,
        ledger_index: payment.ledgerIndex,
        destination_tag: payment.destinationTag ?? 0,
      },
      status: 'pending_confirmation',
      created_at: paidAt.toISOString(),
    },
  };
}
