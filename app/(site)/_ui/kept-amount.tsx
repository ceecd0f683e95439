import type { InvestmentResource } from '#lib/sales/schemas.ts';
import { Xrp } from './amounts.tsx';

const NONE = '0.000000';

type Paid = Pick<InvestmentResource, 'status' | 'amount_xrp' | 'confirmed_amount_xrp'>;

/** What a sale has kept of a payment, the rest being refunded or held; all of it until that is decided. Pure. */
export const keptOf = ({ status, amount_xrp, confirmed_amount_xrp }: Paid): string =>
  status === 'failed' ? NONE : (confirmed_amount_xrp ?? amount_xrp);

/** What was paid, where not all of it was kept. */
export function OfPaid({ investment }: { investment: Paid }) {
  if (keptOf(investment) === investment.amount_xrp) return null;
  return (
    <>
      of <Xrp value={investment.amount_xrp} /> paid
    </>
  );
}
