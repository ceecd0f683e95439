import type { Ctx } from '#lib/ctx.ts';
import { env } from '#lib/platform/env.ts';
import { PlatformError } from '#lib/platform/errors.ts';

/** Two days: a counter outlives its own day on every clock. */
const KEPT_SECONDS = 172_800;

/**
 * Counts one answer where both the caller and the deployment have one left today, and nothing otherwise: who is over
 * the own limit takes nothing of the others'. Gives 1 or 0.
 */
const TAKE = `
local caller = tonumber(redis.call('get', KEYS[1]) or '0')
local all = tonumber(redis.call('get', KEYS[2]) or '0')
if caller >= tonumber(ARGV[1]) or all >= tonumber(ARGV[2]) then return 0 end
redis.call('incr', KEYS[1])
redis.call('expire', KEYS[1], ARGV[3])
redis.call('incr', KEYS[2])
redis.call('expire', KEYS[2], ARGV[3])
return 1`;

/** What a caller hears while nothing can be counted: a model costs, so the assistant stops (design section 7). */
export const uncounted = (cause: unknown): PlatformError =>
  new PlatformError('service_unavailable', 'The assistant is not available right now. Try again in a minute.', {
    cause,
    headers: { 'retry-after': '60' },
  });

/**
 * Takes one answer by the language model of today's (UTC) budgets, of the caller and of the deployment. False when either is
 * used up. A try that fails later has counted. Throws `service_unavailable` while Redis is away.
 */
export async function takeModelAnswer(ctx: Ctx, caller: string): Promise<boolean> {
  const { ASSISTANT_CALLER_DAILY_LIMIT, ASSISTANT_DAILY_LIMIT, RATE_LIMIT_SCALE } = env();
  const day = new Date(ctx.clock.nowMs()).toISOString().slice(0, 10);
  const limits = [ASSISTANT_CALLER_DAILY_LIMIT * RATE_LIMIT_SCALE, ASSISTANT_DAILY_LIMIT, KEPT_SECONDS];
  const taken = await ctx.redis
    .eval(TAKE, [`assistant:answers:${day}:of:${caller}`, `assistant:answers:${day}`], limits)
    .catch((cause: unknown) => {
      throw uncounted(cause);
    });
  return taken === 1;
}
