import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

/** `deadlock_detected` and `serialization_failure`: Postgres has rolled the whole transaction back. */
const CONFLICT = /^(?:40P01|40001)$/;

const MOST_TRIES = 5;
const FIRST_PAUSE_MS = 20;

/** True when Postgres gave a transaction up in favour of another one; drizzle wraps the driver's error. */
export function isLockConflict(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as Error & { code?: unknown };
  return (typeof code === 'string' && CONFLICT.test(code)) || isLockConflict(error.cause);
}

/**
 * Runs a whole transaction, or a statement that is one by itself, again while Postgres gives it up in favour of another: at
 * most five times, after random pauses that double, so that those that met do not meet again. Nothing of a try that was
 * given up is in the database; `work` must do nothing outside of it that may not be done twice. Throws the last conflict.
 */
export async function retryLockConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === MOST_TRIES || !isLockConflict(error)) throw error;
      await pause(randomInt(1, FIRST_PAUSE_MS * 2 ** tries));
    }
  }
}
