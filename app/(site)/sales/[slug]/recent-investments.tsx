import Link from 'next/link';
import type { InvestmentResource, ProjectResource } from '#lib/sales/schemas.ts';
import { Tokens, Xrp } from '../../_ui/amounts.tsx';
import { Card } from '../../_ui/card.tsx';
import { Empty } from '../../_ui/empty.tsx';
import { shortened } from '../../_ui/format.ts';
import { InvestmentBadge } from '../../_ui/investment-badge.tsx';
import { keptOf, OfPaid } from '../../_ui/kept-amount.tsx';
import { LinkPending } from '../../_ui/link-pending.tsx';
import { Time } from '../../_ui/time.tsx';

/** The newest investments, each with its receipt. */
export function RecentInvestments({
  project,
  investments,
}: {
  project: ProjectResource;
  investments: InvestmentResource[];
}) {
  return (
    <Card
      title="Recent investments"
      aside={
        <a className="link text-sm" href={`/api/projects/${project.id}/allocations?format=csv`}>
          All as CSV
        </a>
      }
    >
      {investments.length === 0 ? (
        <Empty title="Nobody has invested yet">Payments appear here a few seconds after their ledger closes.</Empty>
      ) : (
        <ul className="-my-3 divide-y divide-line text-sm">
          {investments.map((investment) => (
            <li
              key={investment.id}
              className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1.5 py-3 sm:grid-cols-[minmax(0,1fr)_auto_10rem]"
            >
              <div className="min-w-0">
                <Link href={`/investments/${investment.id}`} prefetch={false} className="link font-mono text-xs">
                  {shortened(investment.investor_account)}
                  <LinkPending />
                </Link>
                <p className="text-xs text-soft">
                  <Time at={investment.created_at} />
                </p>
              </div>
              <div className="text-right">
                <Xrp value={keptOf(investment)} className="font-medium" />
                <p className="text-xs text-soft empty:hidden">
                  <OfPaid investment={investment} />
                </p>
                {investment.status !== 'failed' && (
                  <p className="text-xs text-soft">
                    <Tokens
                      value={investment.total_tokens ?? investment.tier_info.tokens_expected}
                      token={project.token}
                    />
                  </p>
                )}
              </div>
              <div className="col-span-2 sm:col-span-1 sm:text-right">
                <InvestmentBadge investment={investment} />
              </div>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
