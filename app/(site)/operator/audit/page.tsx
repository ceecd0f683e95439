import type { Metadata } from 'next';
import { PlatformError } from '#lib/base/errors.ts';
import { listAuditContract } from '#lib/ops/status/audit/contracts.ts';
import { listAudit } from '#lib/ops/status/audit/list-audit.ts';
import { Empty } from '../../_ui/empty.tsx';
import { PageHead } from '../../_ui/page-head.tsx';
import { FilterFault } from '../filter-fault.tsx';
import { MoreLink } from '../more-link.tsx';
import { queryOf, type SearchParams } from '../query-of.ts';
import { operatorCtx } from '../session.ts';
import { AuditFilters } from './audit-filters.tsx';
import { AuditLine } from './audit-line.tsx';

export const metadata: Metadata = { title: 'Audit', robots: { index: false } };

const PAGE = '50';

function hrefOf(subject: string): string | null {
  if (subject.startsWith('proj_')) return `/operator/projects/${subject}`;
  return /^[0-9A-F]{64}$/.test(subject) ? `/operator/payments/${subject}` : null;
}

/** What administrators did, by whom and why. */
export default async function AuditPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await operatorCtx();
  const times = withZones(await searchParams);
  const { query, given, faults } = await queryOf(listAuditContract.query, times, { limit: PAGE });
  const { entries, next_cursor, fault } = await read(ctx, query);
  return (
    <>
      <PageHead title="Audit" lead="Every action of an administrator, with its reason. Nothing here can be changed." />
      <AuditFilters given={given} />
      <FilterFault faults={fault === null ? faults : [...faults, fault]} />
      {entries.length === 0 ? (
        <Empty title="No action">
          {Object.keys(given).length === 0 ? 'Actions of administrators appear here.' : 'None matches these filters.'}
        </Empty>
      ) : (
        <ol className="divide-y divide-line rounded-2xl border border-line bg-card shadow-card">
          {entries.map((entry) => (
            <AuditLine key={entry.id} entry={entry} hrefOf={hrefOf} />
          ))}
        </ol>
      )}
      <MoreLink path="/operator/audit" given={given} cursor={next_cursor} label="Older" />
    </>
  );
}

/** The form's times are in UTC and say no zone. */
async function withZones(given: Awaited<SearchParams>): SearchParams {
  const zoned = (value: string | string[] | undefined) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(value) ? `${value}:00Z` : value;
  return { ...given, from: zoned(given.from), to: zoned(given.to) };
}

async function read(ctx: Awaited<ReturnType<typeof operatorCtx>>, query: Parameters<typeof listAudit>[1]) {
  try {
    return { ...(await listAudit(ctx, query)), fault: null };
  } catch (err) {
    if (!(err instanceof PlatformError) || err.code !== 'invalid_request') throw err;
    return { entries: [], next_cursor: null, fault: err.detail };
  }
}
