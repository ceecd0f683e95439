import type { InvestmentResource } from '#lib/sales/schemas.ts';
import { Badge } from './badge.tsx';
import { isGivenBack } from './given-back.ts';

/** Where an investment stands, from payment to tokens. */
export function InvestmentBadge({ investment }: { investment: InvestmentResource }) {
  const { status, payouts, refunds } = investment;
  if (status === 'pending_confirmation') return <Badge tone="accent">Seen, being confirmed</Badge>;
  if (status === 'failed') {
    const isBack = refunds.length > 0 && refunds.every((refund) => refund.status === 'validated');
    if (isGivenBack(investment)) return <Badge>{isBack ? 'Given back' : 'Being given back'}</Badge>;
    return <Badge tone="bad">{isBack ? 'Refused, sent back' : 'Refused'}</Badge>;
  }
  if (payouts.length > 0 && payouts.every((payout) => payout.status === 'validated'))
    return <Badge tone="good">Tokens sent</Badge>;
  if (payouts.some((payout) => payout.status === 'waiting_holder'))
    return <Badge tone="warn">Waiting for the wallet</Badge>;
  if (payouts.some((payout) => payout.status === 'held')) return <Badge tone="warn">Held</Badge>;
  return <Badge tone="good">Confirmed</Badge>;
}
