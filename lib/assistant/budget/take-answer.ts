import { env } from '#lib/base/env.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { callerNetworks } from '#lib/base/rate-limiter.ts';
import type { Ctx } from '#lib/ctx.ts';

/** Two days: a counter outlives its own day on every clock. */
const KEPT_SECONDS = 172_800;

/**
 * Counts one answer where the deployment and each of the caller's networks have one left today, and nothing otherwise: who
 * is over the own limit takes nothing of the others'. The first argument is how long counters live, then a limit a key.
 * Gives 1 or 0.
 */
const TAKE = `
for i, key in ipairs(KEYS) do
  if tonumber(redis.call('get', key) or '0') >= tonumber(ARGV[i + 1]) then return 0 end
end
for _, key in ipairs(KEYS) do
  redis.call('incr', key)
  redis.call('expire', key, ARGV[1])
end
return 1`;

/** What a caller hears while nothing can be counted: a model costs, so the assistant stops (docs/api.md#rate-limits). */
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
  const networks = callerNetworks(caller);
  const keys = [...networks.map(({ name }) => `assistant:answers:${day}:of:${name}`), `assistant:answers:${day}`];
  const limits = [
    ...networks.map(({ share }) => ASSISTANT_CALLER_DAILY_LIMIT * share * RATE_LIMIT_SCALE),
    ASSISTANT_DAILY_LIMIT,
  ];
  const taken = await ctx.redis.eval(TAKE, keys, [KEPT_SECONDS, ...limits]).catch((cause: unknown) => {
    throw uncounted(cause);
  });
  return taken === 1;
}
