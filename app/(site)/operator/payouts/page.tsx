import type { Metadata } from 'next';
import { PlatformError } from '#lib/base/errors.ts';
import { listPayoutsContract } from '#lib/payouts/operate/contracts.ts';
import { listPayouts } from '#lib/payouts/operate/read-payouts.ts';
import { Badge } from '../../_ui/badge.tsx';
import { Empty } from '../../_ui/empty.tsx';
import { formatAmount, formatCount } from '../../_ui/format.ts';
import { PageHead } from '../../_ui/page-head.tsx';
import { ActionForm } from '../action-form.tsx';
import { FilterFault } from '../filter-fault.tsx';
import { MoreLink } from '../more-link.tsx';
import { queryOf, type SearchParams } from '../query-of.ts';
import { reasonText, STATUS_WORDS } from '../reason-text.ts';
import { type OperatorCtx, operatorCtx } from '../session.ts';
import { lookAgain } from './actions.ts';
import { PayoutCard } from './payout-card.tsx';
import { PayoutFilters } from './payout-filters.tsx';

export const metadata: Metadata = { title: 'Payouts', robots: { index: false } };

const PAGE = '20';

/** Everything that is sent: tokens, refunds and releases. */
export default async function PayoutsPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await operatorCtx();
  const { query, given, faults } = await queryOf(listPayoutsContract.query, searchParams, { limit: PAGE });
  const { payouts, next_cursor, summary, fault } = await read(ctx, query);
  const waiting = summary.filter(({ status }) => status === 'waiting_holder' || status === 'ready');
  const waitingCount = waiting.reduce((sum, row) => sum + row.payouts, 0);
  const mayAct = ctx.actor.role === 'operator';
  return (
    <>
      <PageHead
        title="Payouts"
        lead="Tokens, refunds and releases. They are sent automatically; a waiting payout shows its reason."
        aside={
          <a className="link text-sm" href="/docs/runbook#payouts-are-held">
            What to do when payouts are held
          </a>
        }
      />
      <PayoutFilters query={query} given={given} />
      <FilterFault faults={fault === null ? faults : [...faults, fault]} />
      {summary.length > 0 && (
        <p className="mb-5 flex flex-wrap gap-2">
          {summary.map((row) => (
            <Badge key={`${row.status}-${row.reason}`}>
              {formatCount(row.payouts)} {STATUS_WORDS[row.status]}
              {row.reason === null ? '' : `: ${reasonText(row.reason)}`}
              {row.amount_xrp === '0.000000' ? '' : `, ${formatAmount(row.amount_xrp)} XRP`}
            </Badge>
          ))}
        </p>
      )}
      {given.reason !== undefined && waitingCount > 0 && (
        <div className="mb-5">
          <ActionForm
            action={lookAgain}
            label="Retry all of these now"
            hidden={{ waiting_reason: given.reason, project_id: given.project_id ?? '' }}
            mayAct={mayAct}
            preview={
              <p>
                The next run looks at {formatCount(waitingCount)} waiting payouts instead of waiting for their next
                check. What can be paid goes out; nothing is sent twice.
              </p>
            }
          />
        </div>
      )}
      {payouts.length === 0 ? (
        <Empty title="No payout">None matches these filters.</Empty>
      ) : (
        <ul className="grid gap-4 lg:grid-cols-2">
          {payouts.map((payout) => (
            <PayoutCard key={payout.id} payout={payout} mayAct={mayAct} />
          ))}
        </ul>
      )}
      <MoreLink path="/operator/payouts" given={given} cursor={next_cursor} label="More" />
    </>
  );
}

async function read(ctx: OperatorCtx, query: Parameters<typeof listPayouts>[1]) {
  try {
    return { ...(await listPayouts(ctx, query)), fault: null };
  } catch (err) {
    if (!(err instanceof PlatformError) || err.status >= 500) throw err;
    return { payouts: [], next_cursor: null, summary: [], fault: err.detail };
  }
}
