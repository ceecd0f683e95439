import Link from 'next/link';
import type { z } from 'zod';
import type { listPaymentsContract } from '#lib/sales/held/contracts.ts';
import { inputClass } from '../../_ui/field.tsx';
import { formatAmount } from '../../_ui/format.ts';
import { FilterField, FilterInput, Filters } from '../filters.tsx';
import { addressWith } from '../query-of.ts';

type Group = z.output<(typeof listPaymentsContract)['responses'][200]>['groups'][number];

const PATH = '/operator/payments';
const SORTS = [
  { value: 'amount', label: 'Largest first' },
  { value: 'oldest', label: 'Oldest first' },
];
const ONE_DROP = 1n;

/** The largest amount that is still below a bound. */
const justBelow = (xrp: string): string => {
  const digits = String(BigInt(xrp.replace('.', '')) - ONE_DROP).padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
};

/** All that is held, by size, and what the list shows of it. */
export function HeldGroups({
  groups,
  sort,
  given,
}: {
  groups: readonly Group[];
  sort: string;
  given: Record<string, string>;
}) {
  return (
    <>
      <nav aria-label="Held payments by amount" className="mb-4 flex flex-wrap gap-2">
        {groups.map(({ from_xrp, below_xrp, payments, held_xrp }) => {
          const max = below_xrp === null ? '' : justBelow(below_xrp);
          return (
            <Link
              key={from_xrp}
              prefetch={false}
              href={addressWith(PATH, given, { min_amount_xrp: from_xrp, max_amount_xrp: max, cursor: '' })}
              aria-current={given.min_amount_xrp === from_xrp ? 'page' : undefined}
              className="rounded-full border border-line px-3 py-1.5 text-sm hover:bg-sunken aria-[current=page]:border-accent aria-[current=page]:bg-accent-soft"
            >
              {below_xrp === null
                ? `${formatAmount(from_xrp)} XRP and more`
                : `${formatAmount(from_xrp)} to below ${formatAmount(below_xrp)} XRP`}
              : {payments}, {formatAmount(held_xrp)} XRP in all
            </Link>
          );
        })}
      </nav>
      <Filters path={PATH}>
        <FilterField name="sort" label="Order">
          <select id="filter-sort" name="sort" className={inputClass} defaultValue={sort}>
            {SORTS.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </FilterField>
        <FilterInput name="min_amount_xrp" label="At least, XRP" placeholder="1" given={given.min_amount_xrp} />
        <FilterInput name="max_amount_xrp" label="At most, XRP" placeholder="100" given={given.max_amount_xrp} />
        <FilterInput name="reason" label="Reason code" placeholder="no_tag" given={given.reason} />
        <FilterInput name="account" label="Deposit account" placeholder="r…" given={given.account} />
      </Filters>
    </>
  );
}
