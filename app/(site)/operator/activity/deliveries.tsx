import { type DeliveryHour, readDeliveryHistory } from '#lib/ops/status/delivery-history.ts';
import { Card } from '../../_ui/card.tsx';
import { Empty } from '../../_ui/empty.tsx';
import { formatCount } from '../../_ui/format.ts';
import { Cell, Table } from '../../_ui/table.tsx';
import { Time } from '../../_ui/time.tsx';
import type { OperatorCtx } from '../session.ts';
import { Bars, Legend, type Series } from './bars.tsx';
import { type Line, LineLegend, Lines } from './lines.tsx';
import { hourText } from './period-text.ts';

/** Of the deliveries that ended, those that arrived; rounded down, so that no failure is rounded away. */
const successRate = (delivered: number, givenUp: number): string =>
  delivered + givenUp === 0 ? 'none ended' : `${Math.floor((delivered / (delivered + givenUp)) * 1_000) / 10} %`;

const latencyText = (ms: number): string =>
  ms < 1_000 ? `${ms} ms` : ms < 120_000 ? `${Math.round(ms / 100) / 10} s` : `${Math.round(ms / 60_000)} min`;

/** How webhooks took what was sent to them, hour by hour: how many arrived, and how long that took. */
export async function Deliveries({ ctx }: { ctx: OperatorCtx }) {
  const hours = await readDeliveryHistory(ctx.db);
  const [delivered, givenUp, retried] = [sumOf(hours, 'delivered'), sumOf(hours, 'givenUp'), sumOf(hours, 'retried')];
  const lead = `Last 24 hours. Success rate: ${successRate(delivered, givenUp)}. Each minute is counted a minute after it ended.`;
  if (delivered + givenUp + retried === 0) {
    return (
      <Card title="Webhook deliveries" lead={lead}>
        <Empty title="Nothing was delivered in the last 24 hours">
          Deliveries appear here once a webhook is registered and a sale has events.
        </Empty>
      </Card>
    );
  }
  const labels = hours.map(({ at }) => hourText(at));
  const series: Series[] = [
    { name: 'Delivered', className: 'fill-accent', values: hours.map((hour) => hour.delivered) },
    { name: 'Failed, retried', className: 'fill-warn', values: hours.map((hour) => hour.retried) },
    { name: 'Given up', className: 'fill-bad', values: hours.map((hour) => hour.givenUp) },
  ];
  const lines: Line[] = [
    { name: 'Median latency (p50)', className: 'stroke-accent', values: hours.map(({ p50Ms }) => p50Ms) },
    {
      name: '95th percentile (p95)',
      className: 'stroke-soft',
      isDashed: true,
      values: hours.map(({ p95Ms }) => p95Ms),
    },
  ];
  const most = Math.max(1, ...hours.map(({ p95Ms }) => p95Ms ?? 0));
  return (
    <Card title="Webhook deliveries" lead={lead}>
      <figure>
        <figcaption className="mb-3 text-sm font-medium">Attempts by the hour</figcaption>
        <Bars
          said={`Webhook attempts of 24 hours: ${formatCount(delivered)} delivered, ${formatCount(retried)} failed and retried, ${formatCount(givenUp)} given up`}
          per="an hour"
          labels={labels}
          series={series}
        />
        <Ends hours={hours} />
        <Legend series={series} />
      </figure>
      <figure className="mt-8">
        <figcaption className="mb-3 text-sm font-medium">Latency, from the event to its arrival</figcaption>
        <Lines
          said={`Latency of deliveries by the hour; the highest 95th percentile is ${latencyText(most)}`}
          {...{ labels, lines, most }}
          textOf={latencyText}
        />
        <Ends hours={hours} />
        <LineLegend lines={lines} />
      </figure>
      <details className="mt-5">
        <summary className="link inline-flex text-sm">As a table</summary>
        <div className="mt-3">
          <Table
            caption="Webhook deliveries by the hour"
            columns={['Hour', 'Delivered>', 'Retried>', 'Given up>', 'Success rate>', 'p50>', 'p95>']}
          >
            {hours
              .filter((hour) => hour.delivered + hour.givenUp + hour.retried > 0)
              .map((hour) => (
                <tr key={hour.at}>
                  <Cell>
                    <Time at={hour.at} />
                  </Cell>
                  <Cell isFigure>{formatCount(hour.delivered)}</Cell>
                  <Cell isFigure>{formatCount(hour.retried)}</Cell>
                  <Cell isFigure>{formatCount(hour.givenUp)}</Cell>
                  <Cell isFigure>{successRate(hour.delivered, hour.givenUp)}</Cell>
                  <Cell isFigure>{hour.p50Ms === null ? '–' : latencyText(hour.p50Ms)}</Cell>
                  <Cell isFigure>{hour.p95Ms === null ? '–' : latencyText(hour.p95Ms)}</Cell>
                </tr>
              ))}
          </Table>
        </div>
      </details>
    </Card>
  );
}

const sumOf = (hours: readonly DeliveryHour[], name: 'delivered' | 'givenUp' | 'retried'): number =>
  hours.reduce((sum, hour) => sum + hour[name], 0);

const Ends = ({ hours }: { hours: readonly DeliveryHour[] }) => (
  <p className="mt-1.5 flex justify-between text-[0.6875rem] text-soft">
    <Time at={hours[0]?.at ?? ''} />
    <span>now</span>
  </p>
);
