import type { Contract, RateLimitClass } from '#lib/platform/contract.ts';
import { env } from '#lib/platform/env.ts';
import { PlatformError } from '#lib/platform/errors.ts';
import type { Redis } from '#lib/platform/redis.ts';
import { type Verdict, Windows } from './windows.ts';

/** Requests a minute and caller for each class. Internal callers hold a secret; of theirs only refusals are limited. */
export const LIMITS_PER_MINUTE: Record<RateLimitClass, number | null> = {
  read: 600,
  export: 10,
  write: 120,
  create_key: 20,
  internal: null,
};

/** For reads, and for writes and exports while Redis is away. */
const windows = new Windows();

async function takeShared(redis: Redis, rateLimitClass: RateLimitClass, key: string, limit: number): Promise<Verdict> {
  const { Ratelimit } = await import('@upstash/ratelimit');
  const limiter = new Ratelimit({
    redis,
    limiter: Ratelimit.slidingWindow(limit, '60 s'),
    prefix: `rl:${rateLimitClass}`,
    analytics: false,
    // Its own time-out would let the caller in; the client's ends each call within a second, by an error.
    timeout: 0,
  });
  const result = await limiter.limit(key);
  if (result.reason === 'timeout') throw new Error('The rate limit was not counted in time');
  return {
    allowed: result.success,
    limit,
    remaining: Math.max(0, result.remaining),
    resetSeconds: Math.max(1, Math.ceil((result.reset - Date.now()) / 1000)),
  };
}

/** The answer over a limit on `what`, which says when to come back. */
export const rateLimited = (
  { limit, resetSeconds }: Verdict,
  what: string,
  headers: Record<string, string> = {},
): PlatformError =>
  new PlatformError('rate_limited', `At most ${limit} ${what} a minute. Try again in ${resetSeconds} s.`, {
    headers: { ...headers, 'retry-after': String(resetSeconds) },
  });

/**
 * Counts one request and gives the `RateLimit` headers; throws `rate_limited` over the limit. Reads count in the
 * process; the rest in Redis, per caller. While Redis is away or slow, writes
 * and exports count in the process and key creation stops.
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
    verdict = windows.take(`${contract.rateLimit}:${caller}`, limit, nowMs);
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
      verdict = windows.take(`${contract.rateLimit}:${caller}`, limit, nowMs);
    }
  }
  const headers = {
    'ratelimit-policy': `"${contract.rateLimit}";q=${limit};w=60`,
    ratelimit: `"${contract.rateLimit}";r=${verdict.remaining};t=${verdict.resetSeconds}`,
  };
  if (!verdict.allowed) {
    throw rateLimited(verdict, 'requests', headers);
  }
  return headers;
}
