const UNIQUE_VIOLATION = '23505';

/** True when Postgres refused a row for this unique constraint; drizzle wraps the driver's error. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  if (!(error instanceof Error)) return false;
  const fault = error as Error & { code?: unknown; constraint?: unknown };
  if (fault.code === UNIQUE_VIOLATION) return fault.constraint === constraint;
  return isUniqueViolation(error.cause, constraint);
}
