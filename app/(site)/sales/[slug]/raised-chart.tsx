import type { RaisedPoint } from '#lib/sales/projects/raised-over-time.ts';
import { percentOf } from '../../_data/full-raise.ts';
import { formatAmount, formatTime } from '../../_ui/format.ts';
import { Time } from '../../_ui/time.tsx';

const WIDTH = 320;
const HEIGHT = 96;

/** The sum invested, from the first payment until `until`: a step for each time somebody paid. */
export function RaisedChart({ points, until }: { points: readonly RaisedPoint[]; until: string }) {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || points.length < 2) return null;
  const since = Date.parse(first.at);
  const end = until > last.at ? until : last.at;
  const length = Math.max(1, Date.parse(end) - since);
  const line = points
    .map(({ at, raised_xrp }, i) => {
      const x = (((Date.parse(at) - since) / length) * WIDTH).toFixed();
      const y = (HEIGHT - (percentOf(raised_xrp, last.raised_xrp) / 100) * HEIGHT).toFixed();
      return i === 0 ? `M${x} ${y}` : `H${x}V${y}`;
    })
    .join('');
  const said = `Raised over time: ${formatAmount(first.raised_xrp)} XRP on ${formatTime(first.at)}, ${formatAmount(last.raised_xrp)} XRP on ${formatTime(last.at)}`;
  return (
    <figure className="mt-5">
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
        <path d={`M0 ${HEIGHT}H${WIDTH}`} className="stroke-line" vectorEffect="non-scaling-stroke" />
      </svg>
      <figcaption className="mt-1.5 flex flex-wrap justify-between gap-x-2 text-[0.6875rem] text-soft">
        <Time at={first.at} />
        <Time at={end} />
      </figcaption>
    </figure>
  );
}
