import type { Ctx } from '#lib/ctx.ts';
import { env } from '#lib/platform/env.ts';

interface Window {
  /** What is counted; part of the counter's key. */
  name: string;
  per: string;
  limit: number;
  window: '1 d' | '5 m';
}

/**
 * Counts one in a fixed window that all instances share, in one atomic script. Gives the seconds until the window ends
 * when the limit (times RATE_LIMIT_SCALE) is passed, else null. Throws while Redis is away: whoever asks decides.
 */
export async function takeWindow(ctx: Ctx, { name, per, limit, window }: Window): Promise<number | null> {
  const { Ratelimit } = await import('@upstash/ratelimit');
  const limiter = new Ratelimit({
    redis: ctx.redis,
    limiter: Ratelimit.fixedWindow(limit * env().RATE_LIMIT_SCALE, window),
    prefix: `rl:${name}`,
    analytics: false,
    ephemeralCache: false,
    // Its own time-out would let the caller in; the client's ends each call within a second, by an error.
    timeout: 0,
  });
  const result = await limiter.limit(per);
  if (result.reason === 'timeout') throw new Error('The limit was not counted in time');
  return result.success ? null : Math.max(1, Math.ceil((result.reset - Date.now()) / 1000));
}
