/** More would be the memory of a server that has far more projects than anybody reads. */
const MOST_KEYS = 1_000;

/**
 * Remembers each key's answer in this process for `maxAgeMs`, counted from the question. Who asks while it is being read
 * shares the reading; a failure is not kept.
 */
export function shortMemory<T>(maxAgeMs: number): (key: string, nowMs: number, read: () => Promise<T>) => Promise<T> {
  const known = new Map<string, { answer: Promise<T>; atMs: number }>();
  return (key, nowMs, read) => {
    const found = known.get(key);
    // A clock that was set back makes nothing younger.
    if (found !== undefined && nowMs >= found.atMs && nowMs - found.atMs < maxAgeMs) return found.answer;
    if (known.size >= MOST_KEYS) known.clear();
    const answer = read();
    known.set(key, { answer, atMs: nowMs });
    answer.catch(() => {
      if (known.get(key)?.answer === answer) known.delete(key);
    });
    return answer;
  };
}
