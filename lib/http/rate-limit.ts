import type { Contract, RateLimitClass } from '#lib/platform/contract.ts';
import { env } from '#lib/platform/env.ts';
import { PlatformError } from '#lib/platform/errors.ts';
import type { Redis } from '#lib/platform/redis.ts';

/** Requests a minute and caller for each class. Internal callers hold a secret and are not limited. */
export const LIMITS_PER_MINUTE: Record<RateLimitClass, number | null> = {
  read: 600,
  write: 120,
  create_key: 20,
  internal: null,
};

const WINDOW_MS = 60_000;

interface Verdict {
  allowed: boolean;
  limit: number;
  remaining: number;
  resetSeconds: number;
}

/** Fixed windows in this process, for reads: no round trip. Bounded: a full table starts anew. */
const windows = new Map<string, { startedAtMs: number; count: number }>();
const MAX_WINDOWS = 10_000;

function takeInProcess(key: string, limit: number, nowMs: number): Verdict {
  if (windows.size > MAX_WINDOWS) windows.clear();
  let current = windows.get(key);
  if (current === undefined || nowMs - current.startedAtMs >= WINDOW_MS) {
    current = { startedAtMs: nowMs, count: 0 };
    windows.set(key, current);
  }
  current.count += 1;
  return {
    allowed: current.count <= limit,
    limit,
    remaining: Math.max(0, limit - current.count),
    resetSeconds: Math.ceil((current.startedAtMs + WINDOW_MS - nowMs) / 1000),
  };
}

async function takeShared(redis: Redis, rateLimitClass: RateLimitClass, key: string, limit: number): Promise<Verdict> {
  const { Ratelimit } = await import('@upstash/ratelimit');
  const limiter = new Ratelimit({
    redis,
    limiter: Ratelimit.slidingWindow(limit, '60 s'),
    prefix: `rl:${rateLimitClass}`,
    analytics: false,
    timeout: 1_000,
  });
  const result = await limiter.limit(key);
  return {
    allowed: result.success,
    limit,
    remaining: Math.max(0, result.remaining),
    resetSeconds: Math.max(1, Math.ceil((result.reset - Date.now()) / 1000)),
  };
}

/**
 * Counts one request and gives the `RateLimit` headers; throws `rate_limited` over the limit. Reads count in the
 * process; the rest in Redis, per caller. While Redis is away, writes go on, key creation stops.
 */
export async function takeRateLimit(
  contract: Contract,
  caller: string,
  redis: () => Redis,
  nowMs: number,
): Promise<Record<string, string>> {
  const base = LIMITS_PER_MINUTE[contract.rateLimit];
  if (base === null) return {};
  const limit = base * env().RATE_LIMIT_SCALE;
  let verdict: Verdict;
  if (contract.rateLimit === 'read') {
    verdict = takeInProcess(`${contract.rateLimit}:${caller}`, limit, nowMs);
  } else {
    try {
      verdict = await takeShared(redis(), contract.rateLimit, caller, limit);
    } catch (cause) {
      if (contract.rateLimit === 'create_key') {
        throw new PlatformError('service_unavailable', 'Keys cannot be made right now. Try again in a minute.', {
          cause,
          headers: { 'retry-after': '60' },
        });
      }
      verdict = takeInProcess(`${contract.rateLimit}:${caller}`, limit, nowMs);
    }
  }
  const headers = {
    'ratelimit-policy': `"${contract.rateLimit}";q=${limit};w=60`,
    ratelimit: `"${contract.rateLimit}";r=${verdict.remaining};t=${verdict.resetSeconds}`,
  };
  if (!verdict.allowed) {
    throw new PlatformError(
      'rate_limited',
      `At most ${limit} requests a minute. Try again in ${verdict.resetSeconds} s.`,
      {
        headers: { ...headers, 'retry-after': String(verdict.resetSeconds) },
      },
    );
  }
  return headers;
}
