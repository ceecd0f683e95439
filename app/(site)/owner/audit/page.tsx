import type { Metadata } from 'next';
import { PlatformError } from '#lib/base/errors.ts';
import { listOwnAuditContract } from '#lib/ops/status/audit/contracts.ts';
import { listOwnAudit } from '#lib/ops/status/audit/list-own-audit.ts';
import { Empty } from '../../_ui/empty.tsx';
import { PageHead } from '../../_ui/page-head.tsx';
import { AuditLine } from '../../operator/audit/audit-line.tsx';
import { FilterFault } from '../../operator/filter-fault.tsx';
import { MoreLink } from '../../operator/more-link.tsx';
import { queryOf, type SearchParams } from '../../operator/query-of.ts';
import { type OwnerCtx, ownerCtx } from '../session.ts';

export const metadata: Metadata = { title: 'Audit', robots: { index: false } };

const PAGE = '50';

const hrefOf = (subject: string): string | null => (subject.startsWith('proj_') ? `/owner/sales/${subject}` : null);

/** What members did, and administrators to the tenant's sales, and why. */
export default async function OwnAuditPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await ownerCtx();
  const { query, given, faults } = await queryOf(listOwnAuditContract.query, searchParams, { limit: PAGE });
  const { entries, next_cursor, fault } = await read(ctx, query);
  return (
    <>
      <PageHead
        title="Audit"
        lead="Everything that members of the tenant did, and what administrators of the platform did to its sales. Nothing here can be changed."
      />
      <FilterFault faults={fault === null ? faults : [...faults, fault]} />
      {entries.length === 0 ? (
        <Empty title="No action">What members do appears here.</Empty>
      ) : (
        <ol className="divide-y divide-line rounded-2xl border border-line bg-card shadow-card">
          {entries.map((entry) => (
            <AuditLine key={entry.id} entry={entry} hrefOf={hrefOf} />
          ))}
        </ol>
      )}
      <MoreLink path="/owner/audit" given={given} cursor={next_cursor} label="Older" />
    </>
  );
}

async function read(ctx: OwnerCtx, query: Parameters<typeof listOwnAudit>[1]) {
  try {
    return { ...(await listOwnAudit(ctx, query)), fault: null };
  } catch (err) {
    if (!(err instanceof PlatformError) || err.code !== 'invalid_request') throw err;
    return { entries: [], next_cursor: null, fault: err.detail };
  }
}
