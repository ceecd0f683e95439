const WIDTH = 640;
const HEIGHT = 120;

/** A line over time; where a value is null it is broken. */
export interface Line {
  name: string;
  /** Sets `stroke`. */
  className: string;
  isDashed?: boolean;
  values: readonly (number | null)[];
}

/** Lines over time, on a scale that begins at 0, drawn by attributes alone. */
export function Lines({
  said,
  labels,
  lines,
  most,
  textOf,
}: {
  said: string;
  labels: readonly string[];
  lines: readonly Line[];
  /** The value at the top. */
  most: number;
  textOf: (value: number) => string;
}) {
  const slot = WIDTH / labels.length;
  const xOf = (index: number) => Math.round((index + 0.5) * slot);
  const yOf = (value: number) => Math.round(HEIGHT - (value / Math.max(1, most)) * HEIGHT);
  const pathOf = (values: Line['values']) =>
    values
      .map((value, index) => {
        if (value === null) return '';
        const isAlone = values[index - 1] === null || index === 0;
        // A point between gaps would have no length: it is drawn as wide as its slot.
        return isAlone
          ? `M${xOf(index) - slot / 3} ${yOf(value)}L${xOf(index)} ${yOf(value)}`
          : `L${xOf(index)} ${yOf(value)}`;
      })
      .join('');
  return (
    <>
      <p className="figures mb-1 text-[0.6875rem] text-soft">{textOf(most)}</p>
      <svg
        role="img"
        aria-label={said}
        viewBox={`0 -2 ${WIDTH} ${HEIGHT + 4}`}
        preserveAspectRatio="none"
        className="h-32 w-full"
      >
        <path
          d={`M0 0H${WIDTH}M0 ${HEIGHT / 2}H${WIDTH}M0 ${HEIGHT}H${WIDTH}`}
          className="stroke-line"
          vectorEffect="non-scaling-stroke"
        />
        {lines.map(({ name, className, isDashed, values }) => (
          <path
            key={name}
            d={pathOf(values)}
            fill="none"
            className={className}
            strokeWidth="2"
            strokeDasharray={isDashed ? '4 4' : undefined}
            strokeLinejoin="round"
            vectorEffect="non-scaling-stroke"
          />
        ))}
        {labels.map((label, index) => (
          <rect key={label} x={index * slot} y="0" width={slot} height={HEIGHT} fill="transparent">
            <title>
              {`${label}: ${lines.map(({ name, values }) => `${name} ${values[index] == null ? 'none' : textOf(values[index])}`).join(', ')}`}
            </title>
          </rect>
        ))}
      </svg>
    </>
  );
}

export const LineLegend = ({ lines }: { lines: readonly Line[] }) => (
  <ul className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-xs text-soft">
    {lines.map(({ name, className, isDashed }) => (
      <li key={name} className="inline-flex items-center gap-2">
        <svg aria-hidden viewBox="0 0 18 10" className="h-2.5 w-4.5">
          <path d="M0 5H18" strokeWidth="2" strokeDasharray={isDashed ? '4 4' : undefined} className={className} />
        </svg>
        {name}
      </li>
    ))}
  </ul>
);
