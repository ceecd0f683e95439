import { env } from '#lib/base/env.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { callerNetworks } from '#lib/base/rate-limiter.ts';
import type { Ctx } from '#lib/ctx.ts';
import { uncounted } from './take-answer.ts';

/** Answers that one address may have under way at a time. */
export const ANSWERS_PER_CALLER = 3;
const RETRY_AFTER_SECONDS = 5;
/** A place whose process died is free this long after its answer should have ended. */
const GRACE_MS = 5_000;

/**
 * Places are members scored by when they end, in a set for each of the caller's networks; the limits follow the third
 * argument, one a set. Gives 1 or 0.
 */
const TAKE = `
for i, key in ipairs(KEYS) do
  redis.call('zremrangebyscore', key, '-inf', ARGV[1])
  if redis.call('zcard', key) >= tonumber(ARGV[i + 3]) then return 0 end
end
for _, key in ipairs(KEYS) do
  redis.call('zadd', key, ARGV[2], ARGV[3])
  redis.call('pexpireat', key, ARGV[2])
end
return 1`;

/**
 * Takes one of the caller's places for an answer and gives what leaves it again. Throws `rate_limited` when all are taken and
 * `service_unavailable` while Redis is away.
 */
export async function takeAnswerSlot(ctx: Ctx, caller: string): Promise<() => Promise<void>> {
  const networks = callerNetworks(caller);
  const keys = networks.map(({ name }) => `assistant:open:${name}`);
  const place = newId('req', ctx.random);
  const limit = ANSWERS_PER_CALLER * env().RATE_LIMIT_SCALE;
  const nowMs = ctx.clock.nowMs();
  const endsMs = nowMs + env().ASSISTANT_TIMEOUT_MS + GRACE_MS;
  const limits = networks.map(({ share }) => limit * share);
  const taken = await ctx.redis.eval(TAKE, keys, [nowMs, endsMs, place, ...limits]).catch((cause: unknown) => {
    throw uncounted(cause);
  });
  if (taken !== 1) {
    throw new PlatformError(
      'rate_limited',
      `${limit} answers are being written to you already. Try again in ${RETRY_AFTER_SECONDS} s.`,
      { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } },
    );
  }
  return async () => {
    // What could not be given back ends by itself.
    await Promise.all(keys.map((key) => ctx.redis.zrem(key, place))).catch((err: unknown) =>
      ctx.log.warn({ err }, 'an answer place was not given back'),
    );
  };
}
