/**
 * Gives `read` a short memory in this process: callers who come while it runs share its outcome, and a value that `keep`
 * accepts serves for `maxAgeMs` more. However many ask, the parts below see one caller.
 */
export function remember<Input, T>(
  maxAgeMs: number,
  keep: (value: T) => boolean,
  read: (input: Input) => Promise<T>,
): (input: Input, nowMs: number) => Promise<T> {
  let known: { value: T; atMs: number } | undefined;
  let running: Promise<T> | undefined;
  return async (input, nowMs) => {
    // A clock that was set back would make it serve until it is caught up with.
    if (known !== undefined && nowMs >= known.atMs && nowMs - known.atMs < maxAgeMs) return known.value;
    running ??= read(input)
      .then((value) => {
        known = keep(value) ? { value, atMs: nowMs } : undefined;
        return value;
      })
      .finally(() => {
        running = undefined;
      });
    return running;
  };
}
