/** Whoever waits for it next is told that it failed; until then that must not end the process. Gives it back. */
export function awaitedLater<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined);
  return work;
}
