import type { Env } from '#lib/base/env.ts';

type FindingStatus = 'ok' | 'warning' | 'fault';

/** What one check says: what it found, and for anything but `ok` one line about what to do. */
export interface Finding {
  /** What was looked at, for example `redis` or `setting CRON_SECRET`. */
  check: string;
  status: FindingStatus;
  found: string;
  advice: string | null;
}

/** What a check may use beside settings. */
export interface World {
  /** This machine's clock. */
  nowMs: () => number;
  /** Milliseconds since some time: what an exchange takes is the difference of two readings. */
  stopwatchMs: () => number;
}

/** A check bound to the settings that it needs. */
export interface Check {
  name: string;
  /** It is not run while one of these is missing or not valid. */
  needs: readonly (keyof Env)[];
  timeoutMs: number;
  run(values: Partial<Env>, world: World): Promise<Finding[]>;
}

export const ok = (check: string, found: string): Finding => ({ check, status: 'ok', found, advice: null });
const bad =
  (status: 'warning' | 'fault') =>
  (check: string, found: string, advice: string): Finding => ({ check, status, found, advice });
export const warning = bad('warning');
export const fault = bad('fault');

/** Declares a check; `run` receives the settings that it needs, each valid. */
export const defineCheck = <const Name extends keyof Env>(declared: {
  name: string;
  needs: readonly Name[];
  timeoutMs: number;
  run: (settings: Pick<Env, Name>, world: World) => Promise<Finding[]>;
}): Check => ({ ...declared, run: (values, world) => declared.run(values as Pick<Env, Name>, world) });

/** The error behind a failure: drivers and clients wrap what really happened. */
function rootCause(failure: unknown): unknown {
  let current = failure;
  for (let depth = 0; depth < 8; depth++) {
    if (current instanceof AggregateError && current.errors.length > 0) current = current.errors[0];
    else if (current instanceof Error && current.cause !== undefined) current = current.cause;
    else break;
  }
  return current;
}

/** The code of what really happened (`ECONNREFUSED`, `28P01`); null when it has none. */
export function codeOf(failure: unknown): string | null {
  const cause = rootCause(failure);
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : null;
}

/** One line about what really happened. */
export function reasonOf(failure: unknown): string {
  const cause = rootCause(failure);
  const code = codeOf(failure);
  const text = (cause instanceof Error ? cause.message : String(cause)).split('\n')[0] ?? '';
  return code === null || text.includes(code) ? text : `${text} (${code})`.trim();
}

/** A callback's signature is taken with this tolerance (lib/base/queue.ts). */
const TOLERATED_MS = 5_000;
/** The clocks that are asked tell whole seconds. */
const EXACT_MS = 2_000;

const seconds = (ms: number): string => `${(Math.abs(ms) / 1000).toFixed(1)} s`;

/** Another clock's time, and between which two times of this machine's it was told. */
interface ClockReading {
  otherMs: number;
  askedAtMs: number;
  answeredAtMs: number;
}

/** How far another clock is from this machine's. What the question itself may have taken counts for neither. */
export function skewFinding(other: string, { otherMs, askedAtMs, answeredAtMs }: ClockReading): Finding {
  const check = `clock against ${other}`;
  const aheadMs = otherMs - (askedAtMs + answeredAtMs) / 2;
  const certainMs = Math.abs(aheadMs) - (answeredAtMs - askedAtMs) / 2;
  const found = `${other} is ${seconds(aheadMs)} ${aheadMs < 0 ? 'behind' : 'ahead'}`;
  const advice =
    'Set this machine’s clock by a time server; when this machine is right, ask the operator of the other one.';
  if (certainMs > TOLERATED_MS) return fault(check, found, advice);
  return certainMs > EXACT_MS ? warning(check, found, advice) : ok(check, found);
}
