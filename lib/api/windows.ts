import { LRUCache } from 'lru-cache';
import { callerNetworks } from '#lib/base/caller-networks.ts';

/** Where a caller stands after a request was counted. */
export interface Verdict {
  allowed: boolean;
  limit: number;
  remaining: number;
  resetSeconds: number;
}

const WINDOW_MS = 60_000;
/** Bounded: who was seen least recently makes room, so that a flood of new addresses forgives nobody who still calls. */
const MAX_WINDOWS = 10_000;

interface Window {
  startedAtMs: number;
  count: number;
}

/** A clock that was set back ends the window too: else it would last until the clock is there again. */
const isOver = (startedAtMs: number, nowMs: number): boolean => nowMs < startedAtMs || nowMs - startedAtMs >= WINDOW_MS;

/** Fixed windows of a minute in this process: no round trip. */
export class Windows {
  readonly #windows = new LRUCache<string, Window>({ max: MAX_WINDOWS });

  /** Counts one. */
  take(key: string, limit: number, nowMs: number): Verdict {
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

  /** Counts one of a caller, and of each network that it is in; gives the verdict that is closest to a refusal. */
  takeCaller(caller: string, limit: number, nowMs: number, policy = ''): Verdict {
    return strictest(
      callerNetworks(caller).map(({ name, share }) => this.take(`${policy}:${name}`, limit * share, nowMs)),
    );
  }

  /** True when a caller, or a network that it is in, has used up its limit; counts nothing. */
  isCallerFull(caller: string, limit: number, nowMs: number): boolean {
    return callerNetworks(caller).some(({ name, share }) => {
      const current = this.#windows.get(`:${name}`);
      return current !== undefined && !isOver(current.startedAtMs, nowMs) && current.count >= limit * share;
    });
  }
}

/** Of several verdicts on one request: a refusal before any other, then the one that leaves the least. */
export function strictest(verdicts: readonly Verdict[]): Verdict {
  const [first, ...others] = verdicts;
  if (first === undefined) throw new Error('A request was counted nowhere');
  return others.reduce((strict, one) => {
    if (strict.allowed !== one.allowed) return strict.allowed ? one : strict;
    return one.remaining < strict.remaining ? one : strict;
  }, first);
}
