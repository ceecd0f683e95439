import { formatCount } from '../../_ui/format.ts';

const WIDTH = 640;
const HEIGHT = 120;
const GAP = 2;

/** A part of each bar, with its colour as a class that sets `fill`. */
export interface Series {
  name: string;
  className: string;
  values: readonly number[];
}

/**
 * Bars of several parts over time, drawn by attributes alone. `labels` name the bars; each part says its value under the
 * pointer, and the table beneath says all of them.
 */
export function Bars({
  said,
  per,
  labels,
  series,
}: {
  said: string;
  /** What a bar stands for: an hour, a day. */
  per: string;
  labels: readonly string[];
  series: readonly Series[];
}) {
  const sums = labels.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  const most = Math.max(1, ...sums);
  const slot = WIDTH / labels.length;
  const heightOf = (value: number) => (value / most) * HEIGHT;
  return (
    <>
      <p className="figures mb-1 text-[0.6875rem] text-soft">
        {formatCount(most)} {per}
      </p>
      <svg
        role="img"
        aria-label={said}
        viewBox={`0 0 ${WIDTH} ${HEIGHT + 1}`}
        preserveAspectRatio="none"
        className="h-32 w-full"
      >
        <path
          d={`M0 0.5H${WIDTH}M0 ${HEIGHT / 2}H${WIDTH}M0 ${HEIGHT + 0.5}H${WIDTH}`}
          className="stroke-line"
          vectorEffect="non-scaling-stroke"
        />
        {labels.map((label, index) => {
          let base = HEIGHT;
          return (
            <g key={label}>
              {series.map(({ name, className, values }) => {
                const value = values[index] ?? 0;
                const height = heightOf(value);
                base -= height;
                return value === 0 ? null : (
                  <rect
                    key={name}
                    x={index * slot + GAP / 2}
                    y={base}
                    width={slot - GAP}
                    height={height}
                    className={className}
                  />
                );
              })}
              <rect x={index * slot} y="0" width={slot} height={HEIGHT} fill="transparent">
                <title>
                  {`${label}: ${series.map(({ name, values }) => `${formatCount(values[index] ?? 0)} ${name.toLowerCase()}`).join(', ')}`}
                </title>
              </rect>
            </g>
          );
        })}
      </svg>
    </>
  );
}

/** What the colours stand for, with the sum of each. */
export const Legend = ({ series }: { series: readonly Series[] }) => (
  <ul className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-xs text-soft">
    {series.map(({ name, className, values }) => (
      <li key={name} className="inline-flex items-center gap-2">
        <svg aria-hidden viewBox="0 0 10 10" className="size-2.5">
          <rect width="10" height="10" rx="2" className={className} />
        </svg>
        {name} <span className="figures text-ink">{formatCount(values.reduce((sum, value) => sum + value, 0))}</span>
      </li>
    ))}
  </ul>
);
