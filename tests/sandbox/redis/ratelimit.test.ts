import { Ratelimit } from '@upstash/ratelimit';
import { Redis } from '@upstash/redis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestRedis } from './start.ts';

let server: Awaited<ReturnType<typeof startTestRedis>>;
let redis: Redis;

beforeAll(async () => {
  server = await startTestRedis();
  redis = new Redis({ url: server.url, token: 't', retry: false, enableTelemetry: false });
  await redis.flushall();
});
afterAll(() => server.close());

// Windows of a day: no test here can fall on a window's edge but at midnight, where sliding counts still hold.
const limiters = {
  'a sliding window': Ratelimit.slidingWindow(3, '1 d'),
  'a fixed window': Ratelimit.fixedWindow(3, '1 d'),
  'a token bucket': Ratelimit.tokenBucket(3, '1 d', 3),
};

describe.each(Object.entries(limiters))('%s of the unmodified rate limiter', (name, limiter) => {
  const build = (prefix: string) => new Ratelimit({ redis, limiter, prefix, ephemeralCache: false });

  test('lets exactly the limit pass, also when all come at once', async () => {
    const ratelimit = build(`${name}-burst`);
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => ratelimit.limit('caller')));
    expect(outcomes.filter((outcome) => outcome.success)).toHaveLength(3);
    expect(outcomes.map((outcome) => outcome.reason)).not.toContain('timeout');
  });

  test('counts callers apart and tells what remains', async () => {
    const ratelimit = build(`${name}-apart`);
    const first = await ratelimit.limit('first');
    expect(first).toMatchObject({ success: true, limit: 3, remaining: 2 });
    expect(first.reset).toBeGreaterThan(Date.now());
    expect((await ratelimit.getRemaining('first')).remaining).toBe(2);
    expect(await ratelimit.limit('second')).toMatchObject({ success: true, remaining: 2 });
  });

  test('can be reset for a caller', async () => {
    const ratelimit = build(`${name}-reset`);
    while ((await ratelimit.limit('caller')).success);
    await ratelimit.resetUsedTokens('caller');
    expect((await ratelimit.limit('caller')).success).toBe(true);
  });
});
