import type { InvestmentResource } from '#lib/sales/schemas.ts';
import { Badge } from './badge.tsx';
import { isRefundedByCancellation } from './refunded-by-cancellation.ts';

/** Where an investment stands, from payment to tokens. */
export function InvestmentBadge({ investment }: { investment: InvestmentResource }) {
  const { status, reason, payouts, refunds } = investment;
  if (status === 'pending_confirmation') return <Badge tone="accent">Waiting for confirmation</Badge>;
  if (status === 'failed') {
    const isBack = refunds.length > 0 && refunds.every((refund) => refund.status === 'validated');
    if (isRefundedByCancellation(investment)) {
      const why = reason === 'soft_cap_missed' ? 'soft cap missed' : 'sale cancelled';
      return <Badge>{`${isBack ? 'Refunded' : 'Refund pending'} (${why})`}</Badge>;
    }
    return <Badge tone="bad">{isBack ? 'Refused and refunded' : 'Refused'}</Badge>;
  }
  if (payouts.length > 0 && payouts.every((payout) => payout.status === 'validated'))
    return <Badge tone="good">Tokens sent</Badge>;
  if (payouts.some((payout) => payout.status === 'waiting_holder'))
    return <Badge tone="warn">Waiting for the wallet</Badge>;
  if (payouts.some((payout) => payout.status === 'held')) return <Badge tone="warn">Held</Badge>;
  return <Badge tone="good">Confirmed</Badge>;
}
