import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

type DriverError = Error & { code?: unknown; constraint?: unknown };

/** Whether an error, or one of its causes, is such a failure of the driver: drizzle wraps it. */
function isCausedBy(error: unknown, isIt: (error: DriverError, code: string) => boolean): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as DriverError;
  return isIt(error, typeof code === 'string' ? code : '') || isCausedBy(error.cause, isIt);
}

/**
 * Of the network and of Postgres: connection exceptions (class 08), shut down or starting (57P), out of connections, and a
 * session that the server ended because nothing came from it in time, or its transaction took too long (25P03, 25P04, 57P05).
 */
const AWAY =
  /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|08\w{3}|25P0[34]|57P0[1235]|53300)$/;
/** What the drivers say without a code. */
const LOST =
  /^(?:timeout exceeded when trying to connect|Connection terminated\b|Client has encountered a connection error|database "[^"]*" is not currently accepting connections$)/;

/** True when a statement failed because the database could not be reached, or left. */
export const isDatabaseUnavailable = (error: unknown): boolean =>
  isCausedBy(error, ({ message }, code) => AWAY.test(code) || LOST.test(message));

/** `deadlock_detected` and `serialization_failure`: Postgres has rolled the whole transaction back in favour of another one. */
export const isLockConflict = (error: unknown): boolean =>
  isCausedBy(error, (_, code) => /^(?:40P01|40001)$/.test(code));

/**
 * True when a prepared statement is not there (26000), is there already (42P05), or gives other columns than it did (0A000): a
 * pooler has sent it to another session, or a migration has changed a table.
 */
export const isPreparedStatementLost = (error: unknown): boolean =>
  isCausedBy(error, (_, code) => /^(?:26000|42P05|0A000)$/.test(code));

/** True when Postgres ended a statement because its `statement_timeout` was over. */
export const isTimeout = (error: unknown): boolean => isCausedBy(error, (_, code) => code === '57014');

/** True when Postgres refused a row for this unique constraint. */
export const isUniqueViolation = (error: unknown, constraint: string): boolean =>
  isCausedBy(error, (fault, code) => code === '23505' && fault.constraint === constraint);

const MOST_TRIES = 5;
const FIRST_PAUSE_MS = 20;

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
