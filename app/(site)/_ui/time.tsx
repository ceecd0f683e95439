'use client';

import { useSyncExternalStore } from 'react';
import { formatDuration, formatTime } from './format.ts';

/** The visitor's own zone; UTC from the server and where no script runs. */
export const useTimeZone = (): string =>
  useSyncExternalStore(
    () => () => {},
    () => Intl.DateTimeFormat().resolvedOptions().timeZone,
    () => 'UTC',
  );

/** A time in the visitor's zone, with its name; in UTC on demand. Programs read the attribute. */
export function Time({ at }: { at: string }) {
  const zone = useTimeZone();
  return (
    <time dateTime={at} title={formatTime(at)} className="figures whitespace-nowrap">
      {formatTime(at, zone)}
    </time>
  );
}

const SECOND_MS = 1_000;

/** How long ago a time was when the page was made; the time itself on demand, in the visitor's zone and in UTC. */
export function Ago({ at, now }: { at: string; now: string }) {
  const zone = useTimeZone();
  return (
    <time
      dateTime={at}
      title={zone === 'UTC' ? formatTime(at) : `${formatTime(at, zone)} · ${formatTime(at)}`}
      className="figures whitespace-nowrap"
    >
      {formatDuration((Date.parse(now) - Date.parse(at)) / SECOND_MS)} ago
    </time>
  );
}
