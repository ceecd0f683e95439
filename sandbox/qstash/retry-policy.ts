import { parseDurationSeconds } from './duration.ts';
import type { CallbackOutcome } from './message.ts';

const MAX_BACKOFF_SECONDS = 86_400;
const NON_RETRYABLE_STATUS = 489;

/** What follows from an attempt's outcome. */
export type Verdict = { kind: 'delivered' } | { kind: 'retry'; afterMs: number } | { kind: 'dead' };

/** QStash's back-off before retry `n` (1, 2, …): e^(2.5 n) seconds, a day at most. */
export function backoffSeconds(n: number): number {
  return Math.min(MAX_BACKOFF_SECONDS, Math.exp(2.5 * n));
}

/** Retry-After as seconds, as a QStash duration, or as an HTTP date of the real clock. */
function retryAfterSeconds(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const seconds = parseDurationSeconds(header.trim());
  if (seconds !== undefined) return Math.min(MAX_BACKOFF_SECONDS, seconds);
  const dateMs = Date.parse(header);
  if (Number.isNaN(dateMs)) return undefined;
  return Math.min(MAX_BACKOFF_SECONDS, Math.max(0, (dateMs - Date.now()) / 1000));
}

/** Decides what becomes of a message with `retried` failures before this outcome (docs/wire-facts.md#qstash). */
export function judge(outcome: CallbackOutcome, retried: number, maxRetries: number): Verdict {
  const { status, headers } = outcome;
  if (status !== undefined && status >= 200 && status < 300) return { kind: 'delivered' };
  const isFinal = status === NON_RETRYABLE_STATUS && headers['upstash-nonretryable-error']?.toLowerCase() === 'true';
  if (isFinal || retried >= maxRetries) return { kind: 'dead' };
  const afterSeconds = retryAfterSeconds(headers['retry-after']) ?? backoffSeconds(retried + 1);
  return { kind: 'retry', afterMs: Math.round(afterSeconds * 1000) };
}
