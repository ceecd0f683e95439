import { callerNetworks } from '#lib/base/caller-networks.ts';
import { env } from '#lib/base/env.ts';
import type { Ctx } from '#lib/ctx.ts';

interface Window {
  /** What is counted; part of the counter's key. */
  name: string;
  /** The caller, as `clientIp` names it. */
  caller: string;
  /** What else the counter is of, beside the caller. */
  per?: string;
  limit: number;
  window: '1 d' | '5 m';
}

/**
 * Counts one in a fixed window that all instances share, an atomic script for each network of the caller. Gives the seconds
 * until the window ends when the limit (times RATE_LIMIT_SCALE) is passed, else null. Throws while Redis is away: whoever
 * asks decides.
 */
export async function takeWindow(ctx: Ctx, { name, caller, per, limit, window }: Window): Promise<number | null> {
  const { Ratelimit } = await import('@upstash/ratelimit');
  for (const network of callerNetworks(caller)) {
    const limiter = new Ratelimit({
      redis: ctx.redis,
      limiter: Ratelimit.fixedWindow(limit * network.share * env().RATE_LIMIT_SCALE, window),
      prefix: `rl:${name}`,
      analytics: false,
      ephemeralCache: false,
      // Its own time-out would let the caller in; the client's ends each call within a second, by an error.
      timeout: 0,
    });
    const result = await limiter.limit(per === undefined ? network.name : `${network.name} ${per}`);
    if (result.reason === 'timeout') throw new Error('The limit was not counted in time');
    if (!result.success) return Math.max(1, Math.ceil((result.reset - Date.now()) / 1000));
  }
  return null;
}
