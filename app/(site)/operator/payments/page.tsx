import type { Metadata } from 'next';
import { listPaymentsContract } from '#lib/sales/held/contracts.ts';
import { listPayments } from '#lib/sales/held/list-payments.ts';
import { Empty } from '../../_ui/empty.tsx';
import { PageHead } from '../../_ui/page-head.tsx';
import { ActionForm } from '../action-form.tsx';
import { FilterFault } from '../filter-fault.tsx';
import { MoreLink } from '../more-link.tsx';
import { queryOf, type SearchParams } from '../query-of.ts';
import { operatorCtx } from '../session.ts';
import { refundMany } from './actions.ts';
import { activeSales } from './active-sales.ts';
import { BULK_SIZE } from './bulk-size.ts';
import { HeldGroups } from './held-groups.tsx';
import { HeldPayment } from './held-payment.tsx';

export const metadata: Metadata = { title: 'Held payments', robots: { index: false } };

const PAGE = '20';

/** What the page's filters choose, under the names that the refund of many has for it. */
const chosenBy = ({ reason, account, project_id, min_amount_xrp, max_amount_xrp }: Record<string, string>) =>
  Object.fromEntries(
    Object.entries({ held_reason: reason, account, project_id, min_amount_xrp, max_amount_xrp }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );

/** Payments that wait for a person, the largest first: dust does not hide what matters. */
export default async function PaymentsPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await operatorCtx();
  const asked = searchParams.then((params) => ({ sort: 'amount', ...params }));
  const { query, given, faults } = await queryOf(listPaymentsContract.query, asked, { status: 'held', limit: PAGE });
  const mayAct = ctx.actor.role === 'operator';
  const chosen = chosenBy(given);
  const [{ payments, next_cursor, groups }, sales] = await Promise.all([listPayments(ctx, query), activeSales(ctx)]);
  return (
    <>
      <PageHead
        title="Held payments"
        lead="XRP that reached a deposit account and belongs to no investment. It stays held until an operator decides."
      />
      <FilterFault faults={faults} />
      <HeldGroups groups={groups} sort={query.sort} given={given} />
      {payments.length > 0 && Object.keys(chosen).length > 0 && (
        <div className="mb-6">
          <ActionForm
            key={JSON.stringify(chosen)}
            action={refundMany}
            label={`Refund what the filters choose, at most ${BULK_SIZE}`}
            mayAct={mayAct}
            hidden={chosen}
            rehearses
            preview={
              <p>
                Refunds the held amount of each payment to its sender, largest first. Each refund costs a transaction
                fee, which exceeds the value of dust. This cannot be undone.
              </p>
            }
          />
        </div>
      )}
      {payments.length === 0 && <Empty title="Nothing is held">Payments that need a decision appear here.</Empty>}
      <ul className="grid gap-5 lg:grid-cols-2">
        {payments.map((payment) => (
          <HeldPayment key={payment.transaction_hash} payment={payment} sales={sales} mayAct={mayAct} />
        ))}
      </ul>
      <MoreLink
        path="/operator/payments"
        given={given}
        cursor={next_cursor}
        label={query.sort === 'amount' ? 'Smaller ones' : 'Newer ones'}
      />
    </>
  );
}
