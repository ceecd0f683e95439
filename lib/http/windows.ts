/** Where a caller stands after a request was counted. */
export interface Verdict {
  allowed: boolean;
  limit: number;
  remaining: number;
  resetSeconds: number;
}

const WINDOW_MS = 60_000;
/** Bounded: a full table starts anew. */
const MAX_WINDOWS = 10_000;

/** A clock that was set back ends the window too: else it would last until the clock is there again. */
const isOver = (startedAtMs: number, nowMs: number): boolean => nowMs < startedAtMs || nowMs - startedAtMs >= WINDOW_MS;

/** Fixed windows of a minute in this process: no round trip. */
export class Windows {
  readonly #windows = new Map<string, { startedAtMs: number; count: number }>();

  /** Counts one. */
  take(key: string, limit: number, nowMs: number): Verdict {
    if (this.#windows.size > MAX_WINDOWS) this.#windows.clear();
    let current = this.#windows.get(key);
    if (current === undefined || isOver(current.startedAtMs, nowMs)) {
      current = { startedAtMs: nowMs, count: 0 };
      this.#windows.set(key, current);
    }
    current.count += 1;
    return {
      allowed: current.count <= limit,
      limit,
      remaining: Math.max(0, limit - current.count),
      resetSeconds: Math.ceil((current.startedAtMs + WINDOW_MS - nowMs) / 1000),
    };
  }

  /** True when `limit` are counted already; counts nothing. */
  isFull(key: string, limit: number, nowMs: number): boolean {
    const current = this.#windows.get(key);
    return current !== undefined && !isOver(current.startedAtMs, nowMs) && current.count >= limit;
  }
}
