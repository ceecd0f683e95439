'use client';

import { type ReactNode, useState } from 'react';
import type { DeliveryStatistics } from '#lib/webhooks/log/contracts.ts';
import { Card } from '../../../_ui/card.tsx';
import { Empty } from '../../../_ui/empty.tsx';
import { formatCount, formatCounted, formatTime } from '../../../_ui/format.ts';
import { Notice } from '../../../_ui/notice.tsx';
import { Cell, Table } from '../../../_ui/table.tsx';
import { Time, useTimeZone } from '../../../_ui/time.tsx';
import { useResource } from '../../use-resource.ts';
import { useWebhookAccess } from '../../webhook-access.ts';

type Period = DeliveryStatistics['period'];
type Span = DeliveryStatistics['spans'][number];

const PERIODS: readonly { period: Period; label: string }[] = [
  { period: 'hour', label: 'Hour' },
  { period: 'day', label: 'Day' },
  { period: 'week', label: 'Week' },
];
/** The longer the period, the more is counted each time, and the less a minute changes. */
const EVERY_MS: Record<Period, number> = { hour: 10_000, day: 20_000, week: 120_000 };

const OUTCOMES = [
  { name: 'success', label: 'Delivered', fill: 'fill-good', ground: 'bg-good' },
  { name: 'unfinished', label: 'Unfinished', fill: 'fill-warn', ground: 'bg-warn' },
  { name: 'failed', label: 'Failed', fill: 'fill-bad', ground: 'bg-bad' },
  { name: 'cancelled', label: 'Cancelled', fill: 'fill-line-strong', ground: 'bg-line-strong' },
] as const;

const totalOf = (span: Pick<Span, (typeof OUTCOMES)[number]['name']>): number =>
  OUTCOMES.reduce((sum, { name }) => sum + span[name], 0);

const PERCENT = 100;
const percent = (rate: number | null): string => (rate === null ? '–' : `${Math.floor(rate * 10_000) / PERCENT} %`);

const SECOND_MS = 1_000;
/** A latency as people compare it: `45 ms`, `1.2 s`, `3.4 min`. */
export function formatLatency(ms: number | null): string {
  if (ms === null) return '–';
  if (ms < SECOND_MS) return `${ms} ms`;
  const seconds = ms / SECOND_MS;
  if (seconds < 120) return `${Math.round(seconds * 10) / 10} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 6) / 10} min` : `${Math.round(seconds / 360) / 10} h`;
}

/** How the deliveries of a webhook went over time: their outcomes and their latency, kept up to date. */
export function DeliveryChart({ webhookId }: { webhookId: string }) {
  const { credential } = useWebhookAccess();
  const [period, setPeriod] = useState<Period>('day');
  const path = `/api/webhooks/${webhookId}/statistics?period=${period}`;
  const { data, fault } = useResource<DeliveryStatistics>(credential, path, EVERY_MS[period]);
  return (
    <Card
      title="Deliveries over time"
      aside={
        <fieldset className="flex gap-1 rounded-lg bg-sunken p-1">
          <legend className="sr-only">Period</legend>
          {PERIODS.map((each) => (
            <label
              key={each.period}
              className="cursor-pointer rounded-md px-3 py-1 text-sm text-soft has-checked:bg-card has-checked:text-ink has-checked:shadow-card has-focus-visible:outline-2 has-focus-visible:outline-accent"
            >
              <input
                type="radio"
                name="chart-period"
                className="sr-only"
                checked={period === each.period}
                onChange={() => setPeriod(each.period)}
              />
              {each.label}
            </label>
          ))}
        </fieldset>
      }
    >
      {fault !== null && (
        <Notice tone="bad" isAlert>
          {fault}
        </Notice>
      )}
      {data === null && fault === null && (
        <p role="status" className="text-sm text-soft">
          Reading…
        </p>
      )}
      {data !== null && totalOf(data.totals) === 0 && (
        <Empty title={`No delivery in the last ${data.period}`}>
          {data.period === 'week' ? 'Test events count too.' : 'Choose a longer period. Test events count too.'}
        </Empty>
      )}
      {data !== null && totalOf(data.totals) > 0 && <Drawn statistics={data} />}
    </Card>
  );
}

function Drawn({ statistics: { period, from, to, counted_from, totals, spans } }: { statistics: DeliveryStatistics }) {
  const most = Math.max(...spans.map(totalOf));
  const slowest = Math.max(...spans.map(({ latency_ms }) => latency_ms.p95 ?? 0));
  const counts = OUTCOMES.filter(({ name }) => totals[name] > 0);
  const said = counts.map(({ name, label }) => `${formatCount(totals[name])} ${label.toLowerCase()}`).join(', ');
  return (
    <div className="space-y-5">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-4">
        <Figure name="Success rate">{percent(totals.success_rate)}</Figure>
        <Figure name="Deliveries">{formatCount(totalOf(totals))}</Figure>
        <Figure name="Median latency (p50)">{formatLatency(totals.latency_ms.p50)}</Figure>
        <Figure name="95th percentile (p95)">{formatLatency(totals.latency_ms.p95)}</Figure>
      </dl>
      <figure>
        <Legend>
          {counts.map(({ name, label, ground }) => (
            <Key key={name} ground={`h-2.5 ${ground}`}>
              {label} {formatCount(totals[name])}
            </Key>
          ))}
        </Legend>
        <Bars spans={spans} most={most} label={`Deliveries in the last ${period}: ${said}`} />
        <Axis from={from} to={to} />
      </figure>
      {slowest > 0 && (
        <figure>
          <Legend>
            <Key ground="h-1 bg-accent">Latency p50</Key>
            <Key ground="h-1 bg-line-strong">p95, up to {formatLatency(slowest)}</Key>
          </Legend>
          <Latencies
            spans={spans}
            slowest={slowest}
            label={`Latency in the last ${period}: median ${formatLatency(totals.latency_ms.p50)}, 95th percentile ${formatLatency(totals.latency_ms.p95)}`}
          />
          <Axis from={from} to={to} />
        </figure>
      )}
      {counted_from !== from && (
        <p className="text-sm text-soft">
          This webhook has more deliveries than are counted at once. Those before <Time at={counted_from} /> are left
          out: choose a shorter period.
        </p>
      )}
      <details className="text-sm">
        <summary className="text-soft">As a table</summary>
        <div className="mt-3">
          <Table
            caption="Deliveries over time; spans without a delivery are left out"
            columns={['From', ...OUTCOMES.map(({ label }) => `${label}>`), 'p50>', 'p95>']}
          >
            {spans
              .filter((span) => totalOf(span) > 0)
              .map((span) => (
                <tr key={span.from}>
                  <Cell>
                    <Time at={span.from} />
                  </Cell>
                  {OUTCOMES.map(({ name }) => (
                    <Cell key={name} isFigure>
                      {formatCount(span[name])}
                    </Cell>
                  ))}
                  <Cell isFigure>{formatLatency(span.latency_ms.p50)}</Cell>
                  <Cell isFigure>{formatLatency(span.latency_ms.p95)}</Cell>
                </tr>
              ))}
          </Table>
        </div>
      </details>
    </div>
  );
}

const Figure = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt className="text-xs text-soft">{name}</dt>
    <dd className="figures mt-0.5 text-lg font-semibold">{children}</dd>
  </div>
);

const Legend = ({ children }: { children: ReactNode }) => (
  <ul className="figures mb-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-soft">{children}</ul>
);

const Key = ({ ground, children }: { ground: string; children: ReactNode }) => (
  <li className="flex items-center gap-1.5">
    <span aria-hidden className={`w-2.5 rounded-sm ${ground}`} />
    {children}
  </li>
);

const Axis = ({ from, to }: { from: string; to: string }) => (
  <figcaption className="mt-1.5 flex flex-wrap justify-between gap-x-4 text-[0.6875rem] text-soft">
    <Time at={from} />
    <Time at={to} />
  </figcaption>
);

/** Of a span in the drawing; a quarter of it lies between two. */
const STEP = 8;
const BAR = 6;
const HEIGHT = 96;
/** Of what there is only a little, that much is seen. */
const LEAST = 2;

/** A bar for each span, its outcomes upon each other. */
function Bars({ spans, most, label }: { spans: readonly Span[]; most: number; label: string }) {
  const width = spans.length * STEP;
  return (
    <Drawing label={label} width={width}>
      {spans.map((span, index) => {
        let y = HEIGHT;
        return OUTCOMES.filter(({ name }) => span[name] > 0).map(({ name, fill }) => {
          const height = Math.max(LEAST, Math.round((span[name] / most) * (HEIGHT - 2 * LEAST)));
          y -= height;
          return (
            <rect
              key={`${span.from} ${name}`}
              x={index * STEP + 1}
              y={y}
              width={BAR}
              height={height}
              className={fill}
            />
          );
        });
      })}
      <Hover spans={spans} />
    </Drawing>
  );
}

/** The median and the 95th percentile, span by span; nothing where nothing arrived. */
function Latencies({ spans, slowest, label }: { spans: readonly Span[]; slowest: number; label: string }) {
  const yOf = (ms: number) => Math.round(HEIGHT - LEAST - (ms / slowest) * (HEIGHT - 2 * LEAST));
  const line = (name: 'p50' | 'p95') =>
    spans
      .map(({ latency_ms }, index) => {
        const ms = latency_ms[name];
        if (ms === null) return '';
        const isFirst = index === 0 || spans[index - 1]?.latency_ms[name] === null;
        return `${isFirst ? 'M' : 'V'}${isFirst ? `${index * STEP} ` : ''}${yOf(ms)}H${(index + 1) * STEP}`;
      })
      .join('');
  return (
    <Drawing label={label} width={spans.length * STEP}>
      {(['p95', 'p50'] as const).map((name) => (
        <path
          key={name}
          d={line(name)}
          fill="none"
          strokeWidth="2"
          vectorEffect="non-scaling-stroke"
          className={name === 'p50' ? 'stroke-accent' : 'stroke-line-strong'}
        />
      ))}
      <Hover spans={spans} />
    </Drawing>
  );
}

const Drawing = ({ label, width, children }: { label: string; width: number; children: ReactNode }) => (
  <svg
    role="img"
    aria-label={label}
    viewBox={`0 0 ${width} ${HEIGHT}`}
    preserveAspectRatio="none"
    className="h-24 w-full"
  >
    <path d={`M0 ${HEIGHT}H${width}`} className="stroke-line-strong" vectorEffect="non-scaling-stroke" />
    {children}
  </svg>
);

/** What a span holds, under the pointer. */
function Hover({ spans }: { spans: readonly Span[] }) {
  const zone = useTimeZone();
  return spans.map((span, index) => {
    const held = OUTCOMES.filter(({ name }) => span[name] > 0).map(
      ({ name, label }) => `${formatCount(span[name])} ${label.toLowerCase()}`,
    );
    const { p50, p95 } = span.latency_ms;
    const latency = p50 === null ? '' : `; p50 ${formatLatency(p50)}, p95 ${formatLatency(p95)}`;
    return (
      <rect
        key={span.from}
        x={index * STEP}
        y="0"
        width={STEP}
        height={HEIGHT}
        className="fill-transparent hover:fill-ink/5"
      >
        <title>{`From ${formatTime(span.from, zone)}: ${held.length === 0 ? formatCounted(0, 'delivery', 'deliveries') : held.join(', ')}${latency}`}</title>
      </rect>
    );
  });
}
