import type { InvestmentResource } from '#lib/sales/schemas.ts';
import { Badge } from './badge.tsx';
import { isRefundedByCancellation } from './refunded-by-cancellation.ts';

/** Where an investment stands, from payment to tokens. */
export function InvestmentBadge({ investment }: { investment: InvestmentResource }) {
  const { status, payouts, refunds } = investment;
  if (status === 'pending_confirmation') return <Badge tone="accent">Waiting for confirmation</Badge>;
  if (status === 'failed') {
    const isBack = refunds.length > 0 && refunds.every((refund) => refund.status === 'validated');
    if (isRefundedByCancellation(investment))
      return <Badge>{isBack ? 'Refunded (sale cancelled)' : 'Refund pending (sale cancelled)'}</Badge>;
    return <Badge tone="bad">{isBack ? 'Refused and refunded' : 'Refused'}</Badge>;
  }
  if (payouts.length > 0 && payouts.every((payout) => payout.status === 'validated'))
    return <Badge tone="good">Tokens sent</Badge>;
  if (payouts.some((payout) => payout.status === 'waiting_holder'))
    return <Badge tone="warn">Waiting for the wallet</Badge>;
  if (payouts.some((payout) => payout.status === 'held')) return <Badge tone="warn">Held</Badge>;
  return <Badge tone="good">Confirmed</Badge>;
}
