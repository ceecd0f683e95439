import Link from 'next/link';
import { readPayoutHistory, type Span } from '#lib/payouts/operate/payout-history.ts';
import { Card } from '../../_ui/card.tsx';
import { Empty } from '../../_ui/empty.tsx';
import { formatCount } from '../../_ui/format.ts';
import { Cell, Table } from '../../_ui/table.tsx';
import { Time } from '../../_ui/time.tsx';
import type { OperatorCtx } from '../session.ts';
import { Bars, Legend, type Series } from './bars.tsx';
import { dayText, hourText } from './period-text.ts';

const SPAN_LABELS = [
  ['day', '24 hours'],
  ['month', '30 days'],
] as const;

/** What was paid over time, what came to nothing, and what is on hold. */
export async function PayoutsOverTime({ ctx, span }: { ctx: OperatorCtx; span: Span }) {
  const periods = await readPayoutHistory(ctx.db, span);
  const series: Series[] = [
    { name: 'Paid', className: 'fill-accent', values: periods.map(({ paid }) => paid) },
    { name: 'Failed or expired', className: 'fill-warn', values: periods.map(({ unsuccessful }) => unsuccessful) },
    { name: 'On hold now', className: 'fill-bad', values: periods.map(({ held }) => held) },
  ];
  const totals = series.map(({ name, values }) => `${formatCount(sum(values))} ${name.toLowerCase()}`).join(', ');
  const isEmpty = series.every(({ values }) => sum(values) === 0);
  return (
    <Card
      title="Payouts over time"
      lead="Transactions by when they were signed; payouts on hold by when they were due. A failed or expired one is tried again."
      aside={
        <nav aria-label="Period" className="inline-flex gap-1 rounded-lg bg-sunken p-1">
          {SPAN_LABELS.map(([each, label]) => (
            <Link
              key={each}
              prefetch={false}
              href={`/operator/activity?span=${each}`}
              aria-current={each === span ? 'page' : undefined}
              className="rounded-md px-2.5 py-1 text-xs font-medium text-soft hover:text-ink aria-[current=page]:bg-card aria-[current=page]:text-ink"
            >
              {label}
            </Link>
          ))}
        </nav>
      }
    >
      {isEmpty ? (
        <Empty title="Nothing was paid in this time">
          Payouts appear here once a sale has distributed or refunded.
        </Empty>
      ) : (
        <>
          <figure>
            <Bars
              said={`Payouts by the ${span === 'day' ? 'hour' : 'day'}: ${totals}`}
              per={span === 'day' ? 'an hour' : 'a day'}
              labels={periods.map(({ at }) => (span === 'day' ? hourText(at) : dayText(at)))}
              series={series}
            />
            <figcaption className="mt-1.5 flex justify-between text-[0.6875rem] text-soft">
              <Time at={periods[0]?.at ?? ''} />
              <span>now</span>
            </figcaption>
            <Legend series={series} />
          </figure>
          <details className="mt-5">
            <summary className="link inline-flex text-sm">As a table</summary>
            <div className="mt-3">
              <Table caption="Payouts over time" columns={['From', 'Paid>', 'Failed or expired>', 'On hold now>']}>
                {periods
                  .filter(({ paid, unsuccessful, held }) => paid + unsuccessful + held > 0)
                  .map(({ at, paid, unsuccessful, held }) => (
                    <tr key={at}>
                      <Cell>
                        <Time at={at} />
                      </Cell>
                      <Cell isFigure>{formatCount(paid)}</Cell>
                      <Cell isFigure>{formatCount(unsuccessful)}</Cell>
                      <Cell isFigure>{formatCount(held)}</Cell>
                    </tr>
                  ))}
              </Table>
            </div>
          </details>
        </>
      )}
    </Card>
  );
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
