import { HttpError } from '../http-server.ts';

const DURATION = /^(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/;

/** Reads QStash's durations in seconds: `5s`, `2m`, `1d10h30m`, or bare digits for seconds. Undefined if it is none. */
export function parseDurationSeconds(text: string): number | undefined {
  if (/^\d+$/.test(text)) return Number(text);
  const match = DURATION.exec(text);
  if (text === '' || match === null) return undefined;
  const [, days = '0', hours = '0', minutes = '0', seconds = '0'] = match;
  return Number(days) * 86_400 + Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
}

/** A duration from a header. @throws HttpError 400 naming the header */
export function requireDurationSeconds(header: string, text: string): number {
  const seconds = parseDurationSeconds(text.trim());
  if (seconds === undefined) throw new HttpError(400, `invalid ${header}: ${text}`);
  return seconds;
}
