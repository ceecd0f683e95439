import { LRUCache } from 'lru-cache';
import type { Redis } from './redis.ts';

/** Bytes of an IPv6 address that name one site. */
const SITE_BYTES = 6;
/** A /48 may hold a provider's customers, a /56 each, or one customer alone: together they may do as much as so many callers. */
const CALLERS_PER_SITE = 4;

/** A name that requests are counted under, and how many times a caller's limit that name may use. */
interface CallerNetwork {
  name: string;
  share: number;
}

/**
 * What a request of this caller (as `clientIp` names it) is counted under, the narrowest first: its own name, and for IPv6
 * the /48 around it, because one customer may own all 256 networks of /56 in that.
 */
export function callerNetworks(caller: string): [CallerNetwork, ...CallerNetwork[]] {
  const own = { name: caller, share: 1 };
  if (!caller.endsWith('/56')) return [own];
  return [own, { name: `${caller.split('.', SITE_BYTES).join('.')}/48`, share: CALLERS_PER_SITE }];
}

/** Where a caller stands after a request was counted. */
export interface Verdict {
  allowed: boolean;
  limit: number;
  remaining: number;
  resetSeconds: number;
}

/** Of several verdicts on one request: a refusal before any other, then the one that leaves the least. */
function strictest([first, ...others]: readonly Verdict[]): Verdict {
  if (first === undefined) throw new Error('A request was counted nowhere');
  return others.reduce((strict, one) => {
    if (strict.allowed !== one.allowed) return strict.allowed ? one : strict;
    return one.remaining < strict.remaining ? one : strict;
  }, first);
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

/** Counts in this process, in fixed windows of a minute: no round trip. */
export class RateLimiter {
  /** Made for the first count: it allocates its places at once, and a process may never count here. */
  #counted: LRUCache<string, Window> | undefined;

  get #windows(): LRUCache<string, Window> {
    this.#counted ??= new LRUCache({ max: MAX_WINDOWS });
    return this.#counted;
  }

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
      const current = this.#counted?.get(`:${name}`);
      return current !== undefined && !isOver(current.startedAtMs, nowMs) && current.count >= limit * share;
    });
  }
}

interface SharedCount {
  /** What is counted; part of the counter's key. */
  name: string;
  /** The caller, as `clientIp` names it. */
  caller: string;
  /** What else the counter is of, beside the caller. */
  per?: string;
  limit: number;
  /** A minute slides; the longer windows are fixed. */
  window: '60 s' | '5 m' | '1 d';
}

/**
 * Counts one over all instances, by an atomic script in Redis for each network of the caller: who is over the limit of its own
 * takes nothing of the wider one. Throws while Redis is away: the caller decides.
 */
export async function takeShared(redis: Redis, { name, caller, per, limit, window }: SharedCount): Promise<Verdict> {
  const { Ratelimit } = await import('@upstash/ratelimit');
  const verdicts: Verdict[] = [];
  for (const network of callerNetworks(caller)) {
    const most = limit * network.share;
    const limiter = new Ratelimit({
      redis,
      limiter: window === '60 s' ? Ratelimit.slidingWindow(most, window) : Ratelimit.fixedWindow(most, window),
      prefix: `rl:${name}`,
      analytics: false,
      ephemeralCache: false,
      // Its own time-out would let the caller in; the client's ends each call within a second, by an error.
      timeout: 0,
    });
    const result = await limiter.limit(per === undefined ? network.name : `${network.name} ${per}`);
    if (result.reason === 'timeout') throw new Error('The rate limit was not counted in time');
    verdicts.push({
      allowed: result.success,
      limit: most,
      remaining: Math.max(0, result.remaining),
      resetSeconds: Math.max(1, Math.ceil((result.reset - Date.now()) / 1000)),
    });
    if (!result.success) break;
  }
  return strictest(verdicts);
}
