import Link from 'next/link';
import type { listPayouts } from '#lib/payouts/operate/read-payouts.ts';
import { inputClass } from '../../_ui/field.tsx';
import { FilterField, FilterInput, Filters } from '../filters.tsx';
import { addressWith } from '../query-of.ts';

const STATES = [
  { status: 'open', label: 'Not paid yet' },
  { status: 'held', label: 'Held' },
  { status: 'waiting_holder', label: 'Waiting for holders' },
  { status: 'validated', label: 'Paid' },
  { status: 'all', label: 'All' },
] as const;
const KINDS = [
  { value: '', label: 'Any' },
  { value: 'distribution', label: 'Tokens' },
  { value: 'refund', label: 'Refunds' },
  { value: 'release', label: 'Releases' },
  { value: 'lock', label: 'Locks' },
  { value: 'unlock', label: 'Unlocks' },
];

/** What to show: a state by a link, the rest by a form. */
export function PayoutFilters({
  query,
  given,
}: {
  query: Parameters<typeof listPayouts>[1];
  given: Record<string, string>;
}) {
  return (
    <>
      <nav aria-label="Payouts by state" className="mb-4 flex flex-wrap gap-2">
        {STATES.map(({ status, label }) => (
          <Link
            key={status}
            prefetch={false}
            href={addressWith('/operator/payouts', given, { status, cursor: '', reason: '' })}
            aria-current={status === query.status ? 'page' : undefined}
            className="rounded-full border border-line px-3 py-1.5 text-sm hover:bg-sunken aria-[current=page]:border-accent aria-[current=page]:bg-accent-soft"
          >
            {label}
          </Link>
        ))}
      </nav>
      <Filters path="/operator/payouts">
        <input type="hidden" name="status" value={query.status} />
        <FilterField name="kind" label="What">
          <select id="filter-kind" name="kind" className={inputClass} defaultValue={given.kind ?? ''}>
            {KINDS.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </FilterField>
        <FilterInput name="reason" label="Reason code" placeholder="trust_line_missing" given={given.reason} />
        <FilterInput name="project_id" label="Project" placeholder="proj_…" given={given.project_id} />
        <FilterInput name="destination" label="To" placeholder="r…" given={given.destination} />
      </Filters>
    </>
  );
}
