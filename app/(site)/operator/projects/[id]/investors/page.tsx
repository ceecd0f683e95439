import type { Metadata } from 'next';
import Link from 'next/link';
import { PlatformError } from '#lib/base/errors.ts';
import { investorsQuery } from '#lib/sales/investments/contracts.ts';
import { listInvestors } from '#lib/sales/investments/list-investors.ts';
import { getProject } from '#lib/sales/projects/get-project.ts';
import { orNotFound } from '../../../../_data/or-not-found.ts';
import { buttonClass } from '../../../../_ui/button.tsx';
import { Card } from '../../../../_ui/card.tsx';
import { Empty } from '../../../../_ui/empty.tsx';
import { formatCounted } from '../../../../_ui/format.ts';
import { PageHead } from '../../../../_ui/page-head.tsx';
import { FilterFault } from '../../../filter-fault.tsx';
import { FilterInput, Filters } from '../../../filters.tsx';
import { MoreLink } from '../../../more-link.tsx';
import { queryOf, type SearchParams } from '../../../query-of.ts';
import { operatorCtx } from '../../../session.ts';
import { InvestorTable } from './investor-table.tsx';

export const metadata: Metadata = { title: 'Investors', robots: { index: false } };

/** Who bought in a sale, the largest first. */
export default async function InvestorsPage({
  params,
  searchParams,
}: {
  params: Promise<{ id: string }>;
  searchParams: SearchParams;
}) {
  const ctx = await operatorCtx();
  const project = await orNotFound(getProject(ctx, (await params).id));
  const { query, given, faults } = await queryOf(investorsQuery, searchParams);
  const path = `/operator/projects/${project.id}/investors`;
  const read = await listInvestors(ctx, { projectId: project.id, ...query }).catch((err: unknown) => {
    if (err instanceof PlatformError && err.code === 'invalid_request') return err.detail;
    throw err;
  });
  const { investors, nextCursor } = typeof read === 'string' ? { investors: [], nextCursor: null } : read;
  return (
    <>
      <PageHead
        title="Investors"
        lead={
          <>
            {formatCounted(project.progress.total_investors, 'wallet')} in{' '}
            <Link className="link" prefetch={false} href={`/operator/projects/${project.id}`}>
              {project.name}
            </Link>
            , the largest first.
          </>
        }
        aside={
          project.status === 'draft' ? null : (
            <a className={buttonClass('plain')} href={`/api/projects/${project.id}/allocations?format=csv`} download>
              Allocations as CSV
            </a>
          )
        }
      />
      <Filters path={path}>
        <FilterInput
          name="search"
          label="Wallet, or hash of a payment"
          given={given.search}
          placeholder="r… or 64 hex digits"
        />
      </Filters>
      <FilterFault faults={typeof read === 'string' ? [...faults, read] : faults} />
      <Card>
        {investors.length === 0 ? (
          given.search === undefined ? (
            <Empty title="Nobody has bought yet">A wallet appears here once a payment of it is confirmed.</Empty>
          ) : (
            <Empty title="No investor found">
              No confirmed investment of this sale has this wallet or hash. Payments that were refunded or held are
              under{' '}
              <Link className="link" prefetch={false} href="/operator/payments">
                Held payments
              </Link>{' '}
              and{' '}
              <Link className="link" prefetch={false} href="/operator/payouts">
                Payouts
              </Link>
              .
            </Empty>
          )
        ) : (
          <InvestorTable investors={investors} />
        )}
      </Card>
      <MoreLink path={path} given={given} cursor={nextCursor} label="More investors" />
    </>
  );
}
