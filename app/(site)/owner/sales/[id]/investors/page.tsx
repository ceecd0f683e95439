import type { Metadata } from 'next';
import Link from 'next/link';
import { PlatformError } from '#lib/base/errors.ts';
import { listOwnInvestorsContract } from '#lib/sales/investments/contracts.ts';
import { listInvestors } from '#lib/sales/investments/list-investors.ts';
import { buttonClass } from '../../../../_ui/button.tsx';
import { Card } from '../../../../_ui/card.tsx';
import { Empty } from '../../../../_ui/empty.tsx';
import { formatCounted } from '../../../../_ui/format.ts';
import { PageHead } from '../../../../_ui/page-head.tsx';
import { FilterFault } from '../../../../operator/filter-fault.tsx';
import { FilterInput, Filters } from '../../../../operator/filters.tsx';
import { MoreLink } from '../../../../operator/more-link.tsx';
import { InvestorTable } from '../../../../operator/projects/[id]/investors/investor-table.tsx';
import { queryOf, type SearchParams } from '../../../../operator/query-of.ts';
import { ownSale } from '../../../session.ts';

export const metadata: Metadata = { title: 'Investors', robots: { index: false } };

/** Who bought in a sale of the tenant, the largest first. */
export default async function OwnInvestorsPage({
  params,
  searchParams,
}: {
  params: Promise<{ id: string }>;
  searchParams: SearchParams;
}) {
  const { ctx, project, path } = await ownSale(params);
  const { query, given, faults } = await queryOf(listOwnInvestorsContract.query, searchParams);
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
            <Link className="link" prefetch={false} href={path}>
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
      <Filters path={`${path}/investors`}>
        <FilterInput
          name="search"
          label="Wallet, or hash of a payment"
          given={given.search}
          placeholder="r… or 64 hex digits"
        />
      </Filters>
      <FilterFault faults={typeof read === 'string' ? [...faults, read] : faults} />
      {investors.length > 0 ? (
        <Card>
          <InvestorTable investors={investors} />
        </Card>
      ) : given.search === undefined ? (
        <Empty title="Nobody has bought yet">A wallet appears here once a payment of it is confirmed.</Empty>
      ) : (
        <Empty title="No investor found">
          No confirmed investment of this sale has this wallet or hash. All payments to it, also those that were
          refunded or held, are under{' '}
          <Link className="link" prefetch={false} href={`${path}/payments`}>
            Payments
          </Link>
          .
        </Empty>
      )}
      <MoreLink path={`${path}/investors`} given={given} cursor={nextCursor} label="More investors" />
    </>
  );
}
