import type { RaisedPoint } from '#lib/sales/projects/raised-over-time.ts';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { fullRaiseXrp, percentOf } from '../../_data/full-raise.ts';
import { formatAmount, formatReadable, formatTime } from '../../_ui/format.ts';
import { Time } from '../../_ui/time.tsx';

const WIDTH = 320;
const HEIGHT = 96;

/** Beyond it the lines would be a pattern. */
const MOST_MARKS = 6;

type Sale = Pick<ProjectResource, 'tiers' | 'token' | 'soft_cap_xrp'>;

/** Sums that mean something in a sale, as far as `raisedXrp` reaches: where a tier is full, and the soft cap. Pure. */
export function marksOf({ tiers, token, soft_cap_xrp }: Sale, raisedXrp: string): { name: string; xrp: string }[] {
  const full = tiers.map(({ tier }, index) => ({
    name: `tier ${tier} full`,
    xrp: fullRaiseXrp({ tiers: tiers.slice(0, index + 1), token }),
  }));
  const marks = soft_cap_xrp === null ? full : [...full, { name: 'soft cap', xrp: soft_cap_xrp }];
  return marks.filter(({ xrp }) => Number(xrp) <= Number(raisedXrp)).slice(-MOST_MARKS);
}

/** The sum invested, from the first payment until `until`: a step for each time somebody paid. */
export function RaisedChart({
  project,
  points,
  until,
}: {
  project: Sale;
  points: readonly RaisedPoint[];
  until: string;
}) {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || points.length < 2) return null;
  const since = Date.parse(first.at);
  const end = until > last.at ? until : last.at;
  const length = Math.max(1, Date.parse(end) - since);
  const xOf = (at: string) => Math.round(((Date.parse(at) - since) / length) * WIDTH);
  const yOf = (xrp: string) => Math.round(HEIGHT - (percentOf(xrp, last.raised_xrp) / 100) * HEIGHT);
  const line = points
    .map(({ at, raised_xrp }, i) => (i === 0 ? `M${xOf(at)} ${yOf(raised_xrp)}` : `H${xOf(at)}V${yOf(raised_xrp)}`))
    .join('');
  const marks = marksOf(project, last.raised_xrp);
  const said = `Raised over time: ${formatAmount(first.raised_xrp)} XRP on ${formatTime(first.at)}, ${formatAmount(last.raised_xrp)} XRP on ${formatTime(last.at)}`;
  return (
    <figure className="mt-5">
      <p className="figures mb-1 text-[0.6875rem] text-soft">{formatReadable(last.raised_xrp)} XRP</p>
      <svg
        role="img"
        aria-label={said}
        viewBox={`0 -2 ${WIDTH} ${HEIGHT + 4}`}
        preserveAspectRatio="none"
        className="h-24 w-full"
      >
        <defs>
          <linearGradient id="raised-fill" x1="0" y1="0" x2="0" y2="1" className="text-accent">
            <stop offset="0" stopColor="currentColor" stopOpacity="0.28" />
            <stop offset="1" stopColor="currentColor" stopOpacity="0.02" />
          </linearGradient>
        </defs>
        <path d={`${line}H${WIDTH}V${HEIGHT}H0Z`} fill="url(#raised-fill)" />
        <path
          d={`${line}H${WIDTH}`}
          fill="none"
          className="stroke-accent"
          strokeWidth="2"
          vectorEffect="non-scaling-stroke"
        />
        <path d={`M0 ${HEIGHT}H${WIDTH}M0 0H${WIDTH}`} className="stroke-line" vectorEffect="non-scaling-stroke" />
        {marks.map(({ name, xrp }) => (
          <path
            key={name}
            d={`M0 ${yOf(xrp)}H${WIDTH}`}
            className="stroke-soft"
            strokeDasharray="3 4"
            vectorEffect="non-scaling-stroke"
          />
        ))}
        {/* What stood at each time, under the pointer. */}
        {points.map(({ at, raised_xrp }, i) => (
          <rect
            key={at}
            x={xOf(at)}
            y="0"
            width={(points[i + 1] === undefined ? WIDTH : xOf(points[i + 1]?.at ?? at)) - xOf(at)}
            height={HEIGHT}
            fill="transparent"
          >
            <title>{`${formatAmount(raised_xrp)} XRP since ${formatTime(at)}`}</title>
          </rect>
        ))}
      </svg>
      <figcaption className="mt-1.5 flex flex-wrap justify-between gap-x-2 text-[0.6875rem] text-soft">
        <Time at={first.at} />
        <Time at={end} />
        {marks.length > 0 && (
          <span className="figures w-full">
            Dashed: {marks.map(({ name, xrp }) => `${name} at ${formatReadable(xrp)} XRP`).join('; ')}
          </span>
        )}
      </figcaption>
    </figure>
  );
}
