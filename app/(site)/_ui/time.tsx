import { formatDuration, formatTime } from './format.ts';

/** A time with its zone; programs read the attribute. */
export const Time = ({ at }: { at: string }) => (
  <time dateTime={at} className="figures whitespace-nowrap">
    {formatTime(at)}
  </time>
);

const SECOND_MS = 1_000;

/** How long ago a time was when the page was made; the time itself on demand. */
export const Ago = ({ at, now }: { at: string; now: string }) => (
  <time dateTime={at} title={formatTime(at)} className="figures whitespace-nowrap">
    {formatDuration((Date.parse(now) - Date.parse(at)) / SECOND_MS)} ago
  </time>
);
