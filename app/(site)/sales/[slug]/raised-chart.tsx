import type { RaisedPoint } from '#lib/sales/projects/raised-over-time.ts';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { fullRaiseXrp } from '../../_data/full-raise.ts';
import { Xrp } from '../../_ui/amounts.tsx';
import { amountAxis, timeAxis } from '../../_ui/chart/geometry.ts';
import { type Mark, Plot } from '../../_ui/chart/plot.tsx';
import { formatAmount, formatReadable, formatTime } from '../../_ui/format.ts';
import { Cell, Table } from '../../_ui/table.tsx';
import { Time } from '../../_ui/time.tsx';

const HEIGHT = 180;
const ROWS = 12;
const NOTHING = '0.000000';

type Sale = Pick<ProjectResource, 'tiers' | 'token' | 'soft_cap_xrp' | 'starts_at' | 'launched_at'>;

/** Sums that mean something in a sale, the most important first: the soft cap, then where each tier is full, the latest first. Pure. */
export function marksOf({ tiers, token, soft_cap_xrp }: Sale, raisedXrp: string): { name: string; xrp: string }[] {
  const full = tiers
    .map(({ tier }, index) => ({
      name: `Tier ${tier} full`,
      xrp: fullRaiseXrp({ tiers: tiers.slice(0, index + 1), token }),
    }))
    .filter(({ xrp }) => Number(xrp) <= Number(raisedXrp))
    .toReversed();
  return soft_cap_xrp === null ? full : [{ name: 'Soft cap', xrp: soft_cap_xrp }, ...full];
}

/** The points from the sale’s start on, when nothing was raised, as far as the start is known and lies before the first payment. Pure. */
export function fromStart({ starts_at, launched_at }: Sale, points: readonly RaisedPoint[]): RaisedPoint[] {
  const [first] = points;
  if (first === undefined) return [];
  const start = [starts_at, launched_at]
    .filter((at) => at !== null)
    .toSorted()
    .at(-1);
  if (start === undefined || start >= first.at) return [...points];
  return [{ at: start, raised_xrp: NOTHING, investments: 0 }, ...points];
}

/** At most so many of them, the first and the last among them. Pure. */
export function sampled<T>(rows: readonly T[], most: number): T[] {
  if (rows.length <= most) return [...rows];
  return Array.from({ length: most }, (_, i) => rows[Math.round((i * (rows.length - 1)) / (most - 1))] as T);
}

/** The sum invested from the start until `until`: a step for each time somebody paid. */
export function RaisedChart({
  project,
  points,
  until,
}: {
  project: Sale;
  points: readonly RaisedPoint[];
  until: string;
}) {
  const steps = fromStart(project, points);
  const [first, last] = [steps[0], steps.at(-1)];
  if (first === undefined || last === undefined || steps.length < 2) return null;
  const end = until > last.at ? until : last.at;
  const { xOf, ticks: xTicks } = timeAxis(Date.parse(first.at), Date.parse(end));
  const most = Math.max(Number(last.raised_xrp), Number(project.soft_cap_xrp ?? 0));
  const { yOf, ticks: yTicks } = amountAxis(most, HEIGHT);
  const marks: Mark[] = marksOf(project, last.raised_xrp).map(({ name, xrp }) => ({
    y: yOf(Number(xrp)),
    label: `${name}: ${formatReadable(xrp)} XRP`,
    isStrong: name === 'Soft cap',
  }));
  const said = `Raised over time: ${formatAmount(first.raised_xrp)} XRP on ${formatTime(first.at)}, ${formatAmount(last.raised_xrp)} XRP on ${formatTime(last.at)}. ${marks.map(({ label }) => `${label}. `).join('')}`;
  return (
    <figure className="mt-6 border-t border-line pt-5">
      <figcaption className="font-semibold">Over time, in XRP</figcaption>
      <Plot
        id="raised-fill"
        name="Raised over time"
        said={said}
        rest={
          <>
            <Xrp value={last.raised_xrp} />{' '}
            <span className="text-soft">
              since <Time at={first.at} />
            </span>
          </>
        }
        points={steps.map(({ at, raised_xrp }) => ({
          x: xOf(Date.parse(at)),
          y: yOf(Number(raised_xrp)),
          text: `${formatReadable(raised_xrp)} XRP`,
          at,
        }))}
        isStep
        height={HEIGHT}
        yTicks={yTicks}
        xTicks={xTicks}
        marks={marks}
      />
      <details className="mt-3">
        <summary className="link inline-flex text-sm">The same as a table</summary>
        <div className="mt-2">
          <Table caption="Raised over time" columns={['Time', 'Raised>', 'Investments>']}>
            {sampled(steps, ROWS).map(({ at, raised_xrp, investments }) => (
              <tr key={at}>
                <Cell>
                  <Time at={at} />
                </Cell>
                <Cell isFigure>
                  <Xrp value={raised_xrp} />
                </Cell>
                <Cell isFigure>{investments}</Cell>
              </tr>
            ))}
          </Table>
        </div>
      </details>
    </figure>
  );
}
