import type { Metadata } from 'next';
import Link from 'next/link';
import { getPayment } from '#lib/sales/held/payment-resource.ts';
import { orNotFound } from '../../../_data/or-not-found.ts';
import { Xrp } from '../../../_ui/amounts.tsx';
import { AutoRefresh } from '../../../_ui/auto-refresh.tsx';
import { Badge } from '../../../_ui/badge.tsx';
import { Card } from '../../../_ui/card.tsx';
import { Fact, Facts } from '../../../_ui/facts.tsx';
import { formatAmount } from '../../../_ui/format.ts';
import { Address, Hash } from '../../../_ui/hash.tsx';
import { Notice } from '../../../_ui/notice.tsx';
import { PageHead } from '../../../_ui/page-head.tsx';
import { Time } from '../../../_ui/time.tsx';
import { reasonText } from '../../reason-text.ts';
import { operatorCtx } from '../../session.ts';
import { activeSales } from '../active-sales.ts';
import { PaymentActions } from '../payment-actions.tsx';
import { Refunds } from './refunds.tsx';

export const metadata: Metadata = { title: 'Payment', robots: { index: false } };

const ENDED = ['validated', 'cancelled', 'held'];

/** One payment with what became of it; looks again by itself while something is on its way. */
export default async function PaymentPage({ params }: { params: Promise<{ hash: string }> }) {
  const ctx = await operatorCtx();
  const { hash } = await params;
  const [payment, sales] = await Promise.all([orNotFound(getPayment(ctx, hash)), activeSales(ctx)]);
  const isHeld = payment.held_xrp !== '0.000000';
  const isMoving = payment.pending_assign !== null || payment.refunds.some(({ status }) => !ENDED.includes(status));
  return (
    <>
      <PageHead
        title={`Payment of ${formatAmount(payment.received_xrp)} XRP`}
        lead={
          <Link className="link text-sm" prefetch={false} href="/operator/payments">
            All held payments
          </Link>
        }
        aside={<Badge tone={isHeld ? 'warn' : 'neutral'}>{payment.outcome}</Badge>}
      />
      {isMoving && <AutoRefresh />}
      {payment.pending_assign !== null && (
        <div className="mb-6">
          <Notice title="Assignment pending">
            The action is on its way: <Hash hash={payment.pending_assign.transaction_hash} />
          </Notice>
        </div>
      )}
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Card title="Payment received">
          <Facts>
            <Fact name="From">
              <Address address={payment.sender} />
            </Fact>
            <Fact name="To">
              <Address address={payment.account} />
            </Fact>
            <Fact name="Destination tag">{payment.destination_tag ?? 'none'}</Fact>
            <Fact name="By">{payment.transaction_type}</Fact>
            <Fact name="Closed">
              <Time at={payment.closed_at} />
            </Fact>
            <Fact name="Transaction">
              <Hash hash={payment.transaction_hash} />
            </Fact>
          </Facts>
        </Card>
        <div className="min-w-0 space-y-6">
          <Card title="Outcome">
            <Facts>
              {payment.reason !== null && <Fact name="Why">{reasonText(payment.reason)}</Fact>}
              <Fact name="Invested">
                <Xrp isExact value={payment.invested_xrp} />
              </Fact>
              <Fact name="Refunded or due">
                <Xrp isExact value={payment.refunded_xrp} />
              </Fact>
              <Fact name="Held">
                <Xrp isExact value={payment.held_xrp} />
              </Fact>
            </Facts>
            {isHeld && (
              <div className="mt-4">
                <PaymentActions {...{ payment, sales }} mayAct={ctx.actor.role === 'operator'} />
              </div>
            )}
          </Card>
          {payment.refunds.length > 0 && <Refunds payment={payment} />}
        </div>
      </div>
    </>
  );
}
