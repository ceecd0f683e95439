/** Of the network and of Postgres: connection exceptions (class 08), shut down or starting (57P), out of connections. */
const AWAY = /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|08\w{3}|57P0[123]|53300)$/;
/** What the drivers say without a code. */
const LOST =
  /^(?:timeout exceeded when trying to connect|Connection terminated\b|Client has encountered a connection error|database "[^"]*" is not currently accepting connections$)/;

/** True when a statement failed because the database could not be reached, or left; drizzle wraps the driver's error. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as Error & { code?: unknown };
  return (typeof code === 'string' && AWAY.test(code)) || LOST.test(error.message) || isDatabaseAway(error.cause);
}
