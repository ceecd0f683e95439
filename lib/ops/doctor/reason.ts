/** The error behind a failure: drivers and clients wrap what really happened. */
export function rootCause(failure: unknown): unknown {
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
