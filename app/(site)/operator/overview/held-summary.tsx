import Link from 'next/link';
import type { PaymentResource } from '#lib/sales/held/contracts.ts';
import { Xrp } from '../../_ui/amounts.tsx';
import { Card } from '../../_ui/card.tsx';
import { formatDuration, shortened } from '../../_ui/format.ts';
import { Cell, Table } from '../../_ui/table.tsx';
import { reasonText } from '../reason-text.ts';

/** The largest of the payments that wait for a person. */
export function HeldSummary({ payments, hasMore }: { payments: readonly PaymentResource[]; hasMore: boolean }) {
  return (
    <Card
      title="Held payments"
      lead="Held payments belong to no investment. Refund each one, or credit it to a sale as a published exception."
      aside={
        <Link className="link text-sm" prefetch={false} href="/operator/payments">
          {hasMore ? 'All held payments' : 'Held payments'}
        </Link>
      }
    >
      <Table caption="Held payments, the largest first" columns={['Payment', 'Why', 'From', 'Held>', 'Waits for>']}>
        {payments.map((payment) => (
          <tr key={payment.transaction_hash}>
            <Cell>
              <Link
                className="link font-mono text-xs whitespace-nowrap"
                prefetch={false}
                href={`/operator/payments/${payment.transaction_hash}`}
              >
                {shortened(payment.transaction_hash)}
              </Link>
            </Cell>
            <Cell>{reasonText(payment.reason)}</Cell>
            <Cell>
              <span className="font-mono text-xs whitespace-nowrap" title={payment.sender}>
                {shortened(payment.sender)}
              </span>
            </Cell>
            <Cell isFigure>
              <Xrp value={payment.held_xrp} />
            </Cell>
            <Cell isFigure>{formatDuration(payment.age_seconds)}</Cell>
          </tr>
        ))}
      </Table>
    </Card>
  );
}
