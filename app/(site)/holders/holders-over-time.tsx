import { amountAxis, timeAxis } from '../_ui/chart/geometry.ts';
import { Plot } from '../_ui/chart/plot.tsx';
import { formatCounted, formatTime } from '../_ui/format.ts';
import { Time } from '../_ui/time.tsx';

const HEIGHT = 140;

/** The number of holders, snapshot by snapshot. */
export function HoldersOverTime({ points }: { points: readonly { holders: number; at: string }[] }) {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return null;
  const { xOf, ticks: xTicks } = timeAxis(Date.parse(first.at), Date.parse(last.at));
  const counts = points.map(({ holders }) => holders);
  const [few, most] = [Math.min(...counts), Math.max(...counts)];
  // From 0, unless what changes would be a line without a slope.
  const { yOf, ticks: yTicks } = amountAxis(most, HEIGHT, { least: few > most / 2 ? few : 0, isWhole: true });
  const text = (holders: number) => formatCounted(holders, 'holder');
  return (
    <Plot
      id="holders-fill"
      name="Holders over time"
      said={`Holders over time: ${text(first.holders)} on ${formatTime(first.at)}, ${text(last.holders)} on ${formatTime(last.at)}`}
      rest={
        <>
          {text(last.holders)}{' '}
          <span className="text-soft">
            on <Time at={last.at} />
          </span>
        </>
      }
      points={points.map(({ holders, at }) => ({
        x: xOf(Date.parse(at)),
        y: yOf(holders),
        text: text(holders),
        at,
      }))}
      isStep={false}
      height={HEIGHT}
      yTicks={yTicks}
      xTicks={xTicks}
    />
  );
}
