import type { Metadata } from 'next';
import Link from 'next/link';
import { PlatformError } from '#lib/base/errors.ts';
import { listOwnPaymentsContract, type PaymentResource } from '#lib/sales/held/contracts.ts';
import { listPayments } from '#lib/sales/held/list-payments.ts';
import { Xrp } from '../../../../_ui/amounts.tsx';
import { Badge, type Tone } from '../../../../_ui/badge.tsx';
import { Card } from '../../../../_ui/card.tsx';
import { Empty } from '../../../../_ui/empty.tsx';
import { inputClass } from '../../../../_ui/field.tsx';
import { Address, Hash } from '../../../../_ui/hash.tsx';
import { PageHead } from '../../../../_ui/page-head.tsx';
import { Cell, Table } from '../../../../_ui/table.tsx';
import { Time } from '../../../../_ui/time.tsx';
import { FilterFault } from '../../../../operator/filter-fault.tsx';
import { FilterField, Filters } from '../../../../operator/filters.tsx';
import { MoreLink } from '../../../../operator/more-link.tsx';
import { queryOf, type SearchParams } from '../../../../operator/query-of.ts';
import { reasonText } from '../../../../operator/reason-text.ts';
import { ownSale } from '../../../session.ts';
import { Payouts } from './payouts.tsx';

export const metadata: Metadata = { title: 'Payments', robots: { index: false } };

const PAGE = '50';
const TONES: Record<PaymentResource['outcome'], Tone> = {
  pending: 'neutral',
  invested: 'good',
  partial: 'good',
  refunded: 'neutral',
  held: 'warn',
};

/** Every payment to a sale of the tenant with what became of it, and what the platform sent. */
export default async function OwnPaymentsPage({
  params,
  searchParams,
}: {
  params: Promise<{ id: string }>;
  searchParams: SearchParams;
}) {
  const { ctx, project, path } = await ownSale(params);
  const { query, given, faults } = await queryOf(listOwnPaymentsContract.query, searchParams, { limit: PAGE });
  const read = await listPayments(ctx, { ...query, project_id: project.id }).catch((err: unknown) => {
    if (err instanceof PlatformError && err.code === 'invalid_request') return err.detail;
    throw err;
  });
  const { payments, next_cursor } = typeof read === 'string' ? { payments: [], next_cursor: null } : read;
  return (
    <>
      <PageHead
        title="Payments"
        lead={
          <>
            To{' '}
            <Link className="link" prefetch={false} href={path}>
              {project.name}
            </Link>
            , in the order of the ledger.
          </>
        }
      />
      <Filters path={`${path}/payments`}>
        <FilterField name="status" label="Which">
          <select id="filter-status" name="status" className={inputClass} defaultValue={query.status}>
            <option value="all">All payments</option>
            <option value="held">Those that are held</option>
          </select>
        </FilterField>
      </Filters>
      <FilterFault faults={typeof read === 'string' ? [...faults, read] : faults} />
      {payments.length === 0 ? (
        <Empty title="No payment">
          {query.status === 'held' ? 'Nothing is held.' : 'A payment appears here once its ledger is read.'}
        </Empty>
      ) : (
        <Card>
          <Table
            caption="Payments"
            columns={['Paid', 'Sender', 'Outcome', 'Received>', 'Invested>', 'Refunded>', 'Payment']}
          >
            {payments.map((payment) => (
              <tr key={payment.transaction_hash}>
                <Cell>
                  <Time at={payment.closed_at} />
                </Cell>
                <Cell>
                  <Address address={payment.sender} />
                </Cell>
                <Cell>
                  <Badge tone={TONES[payment.outcome]}>{payment.outcome}</Badge>
                  {payment.reason !== null && (
                    <span className="mt-1 block text-xs text-soft">{reasonText(payment.reason)}</span>
                  )}
                </Cell>
                <Cell isFigure>
                  <Xrp isExact value={payment.received_xrp} />
                </Cell>
                <Cell isFigure>
                  <Xrp isExact value={payment.invested_xrp} />
                </Cell>
                <Cell isFigure>
                  <Xrp isExact value={payment.refunded_xrp} />
                </Cell>
                <Cell>
                  <Hash hash={payment.transaction_hash} />
                </Cell>
              </tr>
            ))}
          </Table>
        </Card>
      )}
      <MoreLink path={`${path}/payments`} given={given} cursor={next_cursor} label="More payments" />
      <Payouts ctx={ctx} projectId={project.id} />
    </>
  );
}
