import type { PublicPayment } from '#lib/sales/held/payment-resource.ts';
import { stepsOfPayment } from '../sales/[slug]/payment-steps.ts';
import { Xrp } from './amounts.tsx';
import { Badge } from './badge.tsx';
import { Steps } from './steps.tsx';

/** A payment that reached us and bought nothing anywhere: why, and where its XRP is. */
export function PaymentInNoSale({ payment }: { payment: PublicPayment }) {
  return (
    <article className="rounded-xl border border-line p-4">
      <div className="mb-4 flex flex-wrap items-baseline justify-between gap-3">
        <p className="font-medium">
          <Xrp value={payment.received_xrp} />{' '}
          {payment.destination_tag === null
            ? 'without a destination tag'
            : `with the destination tag ${payment.destination_tag}`}
        </p>
        <Badge tone="warn">In no sale</Badge>
      </div>
      <Steps steps={stepsOfPayment(payment).steps} />
    </article>
  );
}
