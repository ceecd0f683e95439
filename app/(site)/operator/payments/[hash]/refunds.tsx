import type { PaymentResource } from '#lib/sales/held/contracts.ts';
import { Xrp } from '../../../_ui/amounts.tsx';
import { Badge } from '../../../_ui/badge.tsx';
import { Card } from '../../../_ui/card.tsx';
import { Hash } from '../../../_ui/hash.tsx';
import { Cell, Table } from '../../../_ui/table.tsx';
import { reasonText } from '../../reason-text.ts';

const SAID: Record<string, string> = {
  scheduled: 'owed',
  ready: 'owed',
  waiting_holder: 'waits for its receiver',
  submitted: 'on its way',
  validated: 'arrived',
  held: 'held',
};

/** What goes back of a payment, and whether the ledger has it. */
export const Refunds = ({ payment }: { payment: PaymentResource }) => (
  <Card title="Refunds">
    <Table caption="Refunds of this payment" columns={['State', 'Transaction', 'Tag', 'Amount>']}>
      {payment.refunds.map((refund) => (
        <tr key={refund.id}>
          <Cell>
            <Badge tone={refund.status === 'validated' ? 'good' : refund.status === 'held' ? 'bad' : 'accent'}>
              {SAID[refund.status] ?? refund.status}
            </Badge>{' '}
            <span className="text-xs text-soft">{reasonText(refund.reason)}</span>
          </Cell>
          <Cell>{refund.transaction_hash === null ? 'none yet' : <Hash hash={refund.transaction_hash} />}</Cell>
          <Cell>{refund.destination_tag ?? 'none'}</Cell>
          <Cell isFigure>
            <Xrp isExact value={refund.amount_xrp} />
          </Cell>
        </tr>
      ))}
    </Table>
  </Card>
);
