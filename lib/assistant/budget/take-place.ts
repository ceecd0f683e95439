import type { Ctx } from '#lib/ctx.ts';
import { env } from '#lib/platform/env.ts';
import { PlatformError } from '#lib/platform/errors.ts';
import { newId } from '#lib/platform/ids.ts';
import { uncounted } from './take-answer.ts';

/** Answers that one address may have under way at a time. */
export const PLACES_PER_CALLER = 3;
const RETRY_AFTER_SECONDS = 5;
/** A place whose process died is free this long after its answer should have ended. */
const GRACE_MS = 5_000;

/** Places are members scored by when they end. Gives 1 or 0. */
const TAKE = `
redis.call('zremrangebyscore', KEYS[1], '-inf', ARGV[1])
if redis.call('zcard', KEYS[1]) >= tonumber(ARGV[4]) then return 0 end
redis.call('zadd', KEYS[1], ARGV[2], ARGV[3])
redis.call('pexpireat', KEYS[1], ARGV[2])
return 1`;

/**
 * Takes one of the caller's places for an answer and gives what leaves it again. Throws `rate_limited` when all are taken and
 * `service_unavailable` while Redis is away.
 */
export async function takeAnswerPlace(ctx: Ctx, caller: string): Promise<() => Promise<void>> {
  const key = `assistant:open:${caller}`;
  const place = newId('req', ctx.random);
  const limit = PLACES_PER_CALLER * env().RATE_LIMIT_SCALE;
  const nowMs = ctx.clock.nowMs();
  const endsMs = nowMs + env().ASSISTANT_TIMEOUT_MS + GRACE_MS;
  const taken = await ctx.redis.eval(TAKE, [key], [nowMs, endsMs, place, limit]).catch((cause: unknown) => {
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
    await ctx.redis
      .zrem(key, place)
      .catch((err: unknown) => ctx.log.warn({ err }, 'an answer place was not given back'));
  };
}
