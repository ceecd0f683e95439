import { formatCount, formatTime } from '../_ui/format.ts';

const WIDTH = 320;
const HEIGHT = 90;

/** The number of holders, snapshot by snapshot. */
export function HoldersOverTime({ points }: { points: readonly { holders: number; at: string }[] }) {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return null;
  const counts = points.map(({ holders }) => holders);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  const since = Date.parse(first.at);
  const length = Math.max(1, Date.parse(last.at) - since);
  const line = points
    .map(({ holders, at }) => {
      const x = ((Date.parse(at) - since) / length) * WIDTH;
      const y = HEIGHT - ((holders - least) / Math.max(1, most - least)) * (HEIGHT - 8) - 4;
      return `${x.toFixed()},${y.toFixed()}`;
    })
    .join(' ');
  const said = `From ${formatCount(first.holders)} holders on ${formatTime(first.at)} to ${formatCount(last.holders)} on ${formatTime(last.at)}`;
  return (
    <>
      <svg
        role="img"
        aria-label={said}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-24 w-full"
      >
        <polyline
          points={line}
          fill="none"
          className="stroke-accent"
          strokeWidth="2"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <p className="figures mt-2 flex justify-between text-xs text-soft">
        <span>{formatCount(first.holders)}</span>
        <span>{formatCount(last.holders)}</span>
      </p>
    </>
  );
}
