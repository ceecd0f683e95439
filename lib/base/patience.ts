const PARTS = 4;

/**
 * Calls `end` once `ms` have gone by in which this process could run. A stretch in which it could not (it loaded code, its machine stood
 * still, its function was frozen between two requests) counts as a quarter at most: an answer that it had no time to read is not late.
 * Returns what takes it back.
 */
export function afterRunning(ms: number, end: () => void): () => void {
  let left = PARTS;
  let ending: NodeJS.Immediate | undefined;
  const timer = setInterval(() => {
    left -= 1;
    if (left > 0) return;
    clearInterval(timer);
    // What has come by now is read first.
    ending = setImmediate(end);
  }, ms / PARTS);
  return () => {
    clearInterval(timer);
    clearImmediate(ending);
  };
}
