const QUERY_CANCELED = '57014';

/** True when Postgres ended a statement because its `statement_timeout` was over; drizzle wraps the driver's error. */
export function isOutOfTime(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (error as Error & { code?: unknown }).code === QUERY_CANCELED || isOutOfTime(error.cause);
}
