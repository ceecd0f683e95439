'use client';

import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react';
import { formatTime } from '../format.ts';
import { useTimeZone } from '../time.tsx';
import { percent } from './percent.ts';

export interface ScrubPoint {
  /** Part of the width, from 0 to 1. */
  x: number;
  /** Pixels from the top. */
  y: number;
  text: string;
  /** An ISO time, or words where no date is known. */
  at: string;
}

const ISO = /^\d{4}-\d\d-\d\dT/;

/** Says what stood at each point of a chart, under the pointer, a finger, or by the arrow keys. The chart is drawn on the server. */
export function Scrubber({
  name,
  rest,
  points,
  height,
  axis,
  children,
}: {
  name: string;
  /** What is said while nothing is pointed at. */
  rest: ReactNode;
  points: readonly ScrubPoint[];
  height: number;
  axis: ReactNode;
  children: ReactNode;
}) {
  const [at, setAt] = useState<number | null>(null);
  const zone = useTimeZone();
  const last = points.length - 1;
  const said = (point: ScrubPoint | undefined) =>
    point === undefined ? '' : `${point.text}, ${ISO.test(point.at) ? formatTime(point.at, zone) : point.at}`;
  const point = at === null ? undefined : points[Math.min(at, last)];
  const onPointer = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const x = (clientX - left) / width;
    setAt(
      Math.max(
        0,
        points.findLastIndex((each) => each.x <= x),
      ),
    );
  };
  const onKey = (event: KeyboardEvent) => {
    const here = at ?? last;
    const to = {
      ArrowLeft: here - 1,
      ArrowDown: here - 1,
      ArrowRight: here + 1,
      ArrowUp: here + 1,
      Home: 0,
      End: last,
    }[event.key];
    if (event.key === 'Escape') setAt(null);
    if (to === undefined) return;
    event.preventDefault();
    setAt(Math.min(last, Math.max(0, to)));
  };
  return (
    <>
      <p className="figures mb-3 min-h-5 text-sm">{point === undefined ? rest : said(point)}</p>
      <div className="flex">
        {axis}
        <div className="relative min-w-0 flex-1">
          {children}
          {point !== undefined && (
            <svg
              aria-hidden
              height={height}
              className="pointer-events-none absolute inset-x-0 top-0 w-full overflow-visible"
            >
              <line x1={percent(point.x)} x2={percent(point.x)} y1="0" y2={height} className="stroke-line-strong" />
              <circle cx={percent(point.x)} cy={point.y} r="4.5" className="fill-accent stroke-card" strokeWidth="2" />
            </svg>
          )}
          <div
            role="slider"
            tabIndex={0}
            aria-label={name}
            aria-valuemin={0}
            aria-valuemax={last}
            aria-valuenow={at ?? last}
            aria-valuetext={said(points[at ?? last])}
            onKeyDown={onKey}
            onFocus={() => setAt((now) => now ?? last)}
            onBlur={() => setAt(null)}
            onPointerMove={onPointer}
            onPointerDown={onPointer}
            onPointerLeave={() => setAt(null)}
            className="absolute inset-0 cursor-crosshair touch-pan-y noscript:hidden"
          />
        </div>
      </div>
    </>
  );
}
