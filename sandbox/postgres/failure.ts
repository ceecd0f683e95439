/** PostgreSQL could not be prepared, started or stopped; the message says why and what to do. */
export class PostgresFailure extends Error {
  override name = 'PostgresFailure';
}

/** The system's code of a failed call (`ENOENT`, `EADDRINUSE`), or an empty string. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
