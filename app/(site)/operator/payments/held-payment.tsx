import Link from 'next/link';
import type { PaymentResource } from '#lib/sales/held/contracts.ts';
import { Xrp } from '../../_ui/amounts.tsx';
import { Badge } from '../../_ui/badge.tsx';
import { Fact, Facts } from '../../_ui/facts.tsx';
import { formatAmount, formatDuration } from '../../_ui/format.ts';
import { Address, Hash } from '../../_ui/hash.tsx';
import { reasonText } from '../reason-text.ts';
import type { ActiveSale } from './active-sales.ts';
import { PaymentActions } from './payment-actions.tsx';

/** One held payment, and what may be done with it. */
export function HeldPayment({
  payment,
  sales,
  mayAct,
}: {
  payment: PaymentResource;
  sales: readonly ActiveSale[];
  mayAct: boolean;
}) {
  return (
    <li className="rounded-2xl border border-line bg-card p-5 shadow-card">
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-3">
        <h2 className="text-lg font-semibold">
          <Link className="link" prefetch={false} href={`/operator/payments/${payment.transaction_hash}`}>
            <Xrp isExact value={payment.held_xrp} />
          </Link>{' '}
          {payment.held_xrp !== payment.received_xrp && (
            <span className="text-sm font-normal text-soft">of {formatAmount(payment.received_xrp)} held</span>
          )}
        </h2>
        <Badge tone="warn">{reasonText(payment.reason) || 'held'}</Badge>
      </div>
      <Facts>
        <Fact name="From">
          <Address address={payment.sender} />
        </Fact>
        <Fact name="Destination tag">{payment.destination_tag ?? 'none'}</Fact>
        <Fact name="Transaction">
          <Hash hash={payment.transaction_hash} />
        </Fact>
        <Fact name="Waiting for">{formatDuration(payment.age_seconds)}</Fact>
      </Facts>
      <div className="mt-4">
        <PaymentActions {...{ payment, sales, mayAct }} />
      </div>
    </li>
  );
}
