import type { Json } from './json.ts';

/** As on public servers, a marker serves for about ten minutes. */
export const MARKER_LIFE_MS = 10 * 60 * 1000;
const MAX_MARKERS = 200_000;

/**
 * The markers one server has given out. A marker is good only at the server that gave it and only for a while; what
 * it says inside is nobody's business but the server's.
 */
export class Markers {
  private readonly givenAtMs = new Map<string, number>();
  private readonly nowMs: () => number;
  private readonly lifeMs: number;

  constructor(nowMs: () => number, lifeMs: number) {
    this.nowMs = nowMs;
    this.lifeMs = lifeMs;
  }

  /** Remembers a marker that an answer carries and returns it. */
  give<T extends Json>(marker: T): T {
    const key = JSON.stringify(marker);
    this.givenAtMs.delete(key);
    this.givenAtMs.set(key, this.nowMs());
    if (this.givenAtMs.size > MAX_MARKERS) {
      const [oldest] = this.givenAtMs.keys();
      if (oldest !== undefined) this.givenAtMs.delete(oldest);
    }
    return marker;
  }

  /** Whether the marker was given here and has not expired. */
  isGood(marker: Json): boolean {
    const givenAtMs = this.givenAtMs.get(JSON.stringify(marker));
    return givenAtMs !== undefined && this.nowMs() - givenAtMs < this.lifeMs;
  }

  /**
   * Whether a marker that says something by itself, as those of `ledger_data` do, may be used: one that nobody gave may,
   * one that has expired may not.
   */
  isUsable(marker: Json): boolean {
    return !this.givenAtMs.has(JSON.stringify(marker)) || this.isGood(marker);
  }

  /** Lets every marker given so far expire at once. */
  expireAll(): void {
    for (const key of this.givenAtMs.keys()) this.givenAtMs.set(key, Number.NEGATIVE_INFINITY);
  }
}
