import { type Clock, toIso } from './clock.ts';
import { isDatabaseUnavailable } from './database-errors.ts';
import { env } from './env.ts';
import { PlatformError } from './errors.ts';
import type { Logger } from './log.ts';
import { memoize } from './memoize.ts';

/** What everything depends on, and what a health check asks besides. */
export type LoggedPart = 'database' | 'ledger' | 'cache' | 'queue' | 'figures';

interface Outage {
  sinceMs: number;
  lastFailureMs: number;
  toldAtMs: number;
  failures: number;
}

interface Told {
  log: Logger;
  clock: Clock;
}

/** While it lasts, an outage is told again this often. */
const REMIND_MS = 5 * 60_000;
/** Who answers now and then is not back yet. */
const QUIET_MS = 10_000;
/** After so long without a request it is unknown whether it was one outage. */
const FORGOTTEN_MS = 10 * 60_000;

/** Outages as this process sees them, by part. */
const outages = memoize(
  () => [env().POSTGRES_URL, env().KV_REST_API_URL, env().QSTASH_URL, env().XRPL_URLS],
  () => new Map<LoggedPart, Outage>(),
);

/** What is away when work fails like this; null when the work itself is at fault. */
function partAway(failure: unknown): LoggedPart | null {
  if (isDatabaseUnavailable(failure)) return 'database';
  return failure instanceof PlatformError && failure.code === 'ledger_unavailable' ? 'ledger' : null;
}

/**
 * Logs that work failed. A part that is away makes all of it fail, again and again: that is one line when it begins, one
 * every five minutes and one when it is over, with how much failed. Any other failure is a line of its own. True when the
 * failure is told by an outage.
 */
export function logFailure(
  told: Told,
  fields: { err: unknown } & Record<string, unknown>,
  message: string,
  level: 'error' | 'warn' = 'error',
): boolean {
  const part = partAway(fields.err);
  if (part === null) told.log[level](fields, message);
  else recordFailure(told, part, fields);
  return part !== null;
}

/** Notes that `part` did not answer; the reason comes with the first line of its outage. */
export function recordFailure({ log, clock }: Told, part: LoggedPart, fields: { err: unknown }): void {
  const known = outages.get();
  const nowMs = clock.nowMs();
  const open = known.get(part);
  const level = part === 'database' || part === 'ledger' ? 'error' : 'warn';
  if (open === undefined || Math.abs(nowMs - open.lastFailureMs) > FORGOTTEN_MS) {
    known.set(part, { sinceMs: nowMs, lastFailureMs: nowMs, toldAtMs: nowMs, failures: 1 });
    log[level]({ ...fields, part }, 'an outage began');
    return;
  }
  open.failures += 1;
  open.lastFailureMs = nowMs;
  if (nowMs - open.toldAtMs < REMIND_MS) return;
  open.toldAtMs = nowMs;
  log[level]({ ...fields, part, failures: open.failures, since: toIso(new Date(open.sinceMs)) }, 'an outage goes on');
}

/** Notes that `part` answered: its outage is over once nothing has failed for a while. */
export function recordAnswer({ log, clock }: Told, part: LoggedPart): void {
  const known = outages.get();
  const open = known.get(part);
  if (open === undefined || Math.abs(clock.nowMs() - open.lastFailureMs) < QUIET_MS) return;
  known.delete(part);
  const { failures, sinceMs, lastFailureMs } = open;
  const times = { since: toIso(new Date(sinceMs)), until: toIso(new Date(lastFailureMs)) };
  log.warn({ part, failures, ...times }, 'an outage is over');
}
