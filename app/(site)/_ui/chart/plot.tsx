import { area, curveLinear, curveStepAfter, line } from 'd3-shape';
import type { ReactNode } from 'react';
import { anchorOf, LINE_PX, type TickForm, thinned, widthOf } from './geometry.ts';
import { percent } from './percent.ts';
import { Scrubber, type ScrubPoint } from './scrubber.tsx';
import { TickTime } from './tick-time.tsx';

const WIDTH = 1_000;
/** Room below for the labels of the axis, above for the topmost line. */
const BELOW = 20;
const ABOVE = 6;
const GUTTER = 8;

export type XTick = { x: number } & ({ at: string; form: TickForm } | { text: string });

/** A line across the whole chart, with its name above it. The most important first. */
export interface Mark {
  y: number;
  label: string;
  isStrong?: boolean;
}

const LETTERS = 'text-[0.6875rem] figures';
export const SMALL_PRINT = `fill-soft ${LETTERS}`;
/** Print over lines: its rim is of the ground. */
/** Without a colour of its own. */
export const OVER_LINES = `${LETTERS} stroke-card [paint-order:stroke] [stroke-width:4px] [stroke-linejoin:round]`;

/** The numbers at the left, in a column as wide as the widest. */
export function YAxis({ ticks, height }: { ticks: readonly { y: number; text: string }[]; height: number }) {
  const width = Math.max(...ticks.map(({ text }) => widthOf(text)), 0) + GUTTER;
  return (
    <svg aria-hidden width={width} height={height + BELOW} className="block shrink-0 overflow-visible">
      {ticks.map(({ y, text }) => (
        <text key={y} x={width - GUTTER} y={y} dy="0.32em" textAnchor="end" className={SMALL_PRINT}>
          {text}
        </text>
      ))}
    </svg>
  );
}

/**
 * Where the name of a mark hides nothing of a line that climbs: left of where the line crosses it above the mark, else at the
 * right below it, where the line has passed. Pure.
 */
export function placeOfLabel(y: number, points: readonly Pick<ScrubPoint, 'x' | 'y'>[], height: number) {
  const crossing = points.find((point) => point.y <= y)?.x ?? 1;
  const isRight = crossing < 1 / 2;
  const isBelow = isRight ? y < height - LINE_PX : y < LINE_PX - ABOVE;
  return { isRight, isBelow };
}

function MarkLine({ y, label, isStrong, isRight, isBelow }: Mark & { isRight: boolean; isBelow: boolean }) {
  return (
    <g>
      <line
        x2="100%"
        y1={y}
        y2={y}
        className={isStrong ? 'stroke-warn' : 'stroke-line-strong'}
        strokeDasharray={isStrong ? '6 4' : '2 4'}
      />
      <text
        x={isRight ? '100%' : 0}
        dx={isRight ? -6 : 6}
        y={isBelow ? y + 13 : y - 5}
        textAnchor={isRight ? 'end' : 'start'}
        className={`${isRight ? LETTERS : OVER_LINES} ${isStrong ? 'fill-warn' : 'fill-soft'}`}
      >
        {label}
      </text>
    </g>
  );
}

/**
 * A line over time with axes, drawn on the server; widths are percents, so that letters keep their size on every screen. No
 * inline styles: the page's policy allows none.
 */
export function Plot({
  id,
  name,
  said,
  rest,
  points,
  isStep,
  height,
  yTicks,
  xTicks,
  marks = [],
  now,
}: {
  id: string;
  name: string;
  /** The whole picture in a sentence, for those who do not see it. */
  said: string;
  rest: ReactNode;
  points: readonly ScrubPoint[];
  /** A value stands until the next one. */
  isStep: boolean;
  height: number;
  yTicks: readonly { y: number; text: string }[];
  xTicks: readonly XTick[];
  marks?: readonly Mark[];
  /** Where today is, in a chart that reaches beyond it. */
  now?: number | undefined;
}) {
  const end = points.at(-1);
  const drawn = isStep && end !== undefined ? [...points, { ...end, x: 1 }] : points;
  const curve = isStep ? curveStepAfter : curveLinear;
  const shape = { x: ({ x }: ScrubPoint) => x * WIDTH, y: ({ y }: ScrubPoint) => y };
  const stroke = line(shape.x, shape.y).curve(curve)(drawn) ?? '';
  const fill = area(shape.x, height, shape.y).curve(curve)(drawn) ?? '';
  const lastDrawn = drawn.at(-1);
  return (
    <Scrubber name={name} rest={rest} points={points} height={height} axis={<YAxis ticks={yTicks} height={height} />}>
      <svg role="img" aria-label={said} height={height + BELOW} className="block w-full overflow-visible">
        <defs>
          <linearGradient id={id} x1="0" y1="0" x2="0" y2="1" className="text-accent">
            <stop offset="0" stopColor="currentColor" stopOpacity="0.24" />
            <stop offset="1" stopColor="currentColor" stopOpacity="0.02" />
          </linearGradient>
        </defs>
        {yTicks.map(({ y }) => (
          <line key={y} x2="100%" y1={y} y2={y} className="stroke-line" />
        ))}
        <svg
          aria-hidden
          width="100%"
          height={height}
          viewBox={`0 0 ${WIDTH} ${height}`}
          preserveAspectRatio="none"
          overflow="visible"
        >
          <path d={fill} fill={`url(#${id})`} />
          <path d={stroke} fill="none" className="stroke-accent" strokeWidth="2" vectorEffect="non-scaling-stroke" />
        </svg>
        {now !== undefined && <line x1={percent(now)} x2={percent(now)} y2={height} className="stroke-ink" />}
        {now !== undefined && (
          <text
            x={percent(now)}
            dx={now > 0.5 ? -6 : 6}
            y="10"
            textAnchor={now > 0.5 ? 'end' : 'start'}
            className={`${OVER_LINES} fill-soft`}
          >
            today
          </text>
        )}
        {thinned(marks, ({ y }) => y).map((mark) => (
          <MarkLine key={mark.label} {...mark} {...placeOfLabel(mark.y, points, height)} />
        ))}
        {lastDrawn !== undefined && (
          <circle
            cx={percent(lastDrawn.x)}
            cy={lastDrawn.y}
            r="3.5"
            className="fill-accent stroke-card"
            strokeWidth="1.5"
          />
        )}
        <g aria-hidden>
          {xTicks.map((tick) => {
            const place = {
              x: percent(tick.x),
              y: height + 16,
              textAnchor: anchorOf(tick.x),
              className: SMALL_PRINT,
            };
            return 'at' in tick ? (
              <TickTime key={tick.at} {...place} at={tick.at} form={tick.form} />
            ) : (
              <text key={tick.text} {...place}>
                {tick.text}
              </text>
            );
          })}
        </g>
      </svg>
    </Scrubber>
  );
}
