import type { Metadata } from 'next';
import { listPaymentsContract } from '#lib/sale/held/contracts.ts';
import { listPayments } from '#lib/sale/held/list-payments.ts';
import { Empty } from '../../_ui/empty.tsx';
import { PageHead } from '../../_ui/page-head.tsx';
import { FilterFault } from '../filter-fault.tsx';
import { MoreLink } from '../more-link.tsx';
import { queryOf, type SearchParams } from '../query-of.ts';
import { operatorCtx } from '../session.ts';
import { activeSales } from './active-sales.ts';
import { HeldPayment } from './held-payment.tsx';

export const metadata: Metadata = { title: 'Held payments', robots: { index: false } };

const PAGE = '20';

/** Payments that wait for a person, the oldest first. */
export default async function PaymentsPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await operatorCtx();
  const { query, given, faults } = await queryOf(listPaymentsContract.query, searchParams, {
    status: 'held',
    limit: PAGE,
  });
  const [{ payments, next_cursor }, sales] = await Promise.all([listPayments(ctx, query), activeSales(ctx)]);
  return (
    <>
      <PageHead
        title="Held payments"
        lead="XRP that reached a deposit account and belongs to no investment. Nothing happens to it by itself."
      />
      <FilterFault faults={faults} />
      {payments.length === 0 && (
        <Empty title="Nothing is held">Payments that the rules cannot place would wait here.</Empty>
      )}
      <ul className="grid gap-5 lg:grid-cols-2">
        {payments.map((payment) => (
          <HeldPayment
            key={payment.transaction_hash}
            payment={payment}
            sales={sales}
            mayAct={ctx.actor.role === 'operator'}
          />
        ))}
      </ul>
      <MoreLink path="/operator/payments" given={given} cursor={next_cursor} label="Newer ones" />
    </>
  );
}
