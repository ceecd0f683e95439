import type { Env } from '#lib/base/env.ts';

export type FindingStatus = 'ok' | 'warning' | 'fault';

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
export const warning = (check: string, found: string, advice: string): Finding => ({
  check,
  status: 'warning',
  found,
  advice,
});
export const fault = (check: string, found: string, advice: string): Finding => ({
  check,
  status: 'fault',
  found,
  advice,
});

/** Declares a check; `run` receives the settings that it needs, each valid. */
export const defineCheck = <const Name extends keyof Env>(declared: {
  name: string;
  needs: readonly Name[];
  timeoutMs: number;
  run: (settings: Pick<Env, Name>, world: World) => Promise<Finding[]>;
}): Check => ({ ...declared, run: (values, world) => declared.run(values as Pick<Env, Name>, world) });
