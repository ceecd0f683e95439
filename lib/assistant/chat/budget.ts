import { env } from '#lib/base/env.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { callerNetworks } from '#lib/base/rate-limiter.ts';
import type { Ctx } from '#lib/ctx.ts';

/** Answers that one address may have under way at a time. */
export const ANSWERS_PER_CALLER = 3;
const RETRY_AFTER_SECONDS = 5;
/** A place whose process died is free this long after its answer should have ended. */
const GRACE_MS = 5_000;

/**
 * Places are members scored by when they end, in a set for each of the caller's networks; the limits follow the third
 * argument, one a set. Gives 1 or 0.
 */
const TAKE_SLOT = `
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
  const taken = await ctx.redis.eval(TAKE_SLOT, keys, [nowMs, endsMs, place, ...limits]).catch((cause: unknown) => {
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

/** Two days: a counter outlives its own day on every clock. */
const KEPT_SECONDS = 172_800;

/**
 * Counts one answer where the deployment and each of the caller's networks have one left today, and nothing otherwise: who
 * is over the own limit takes nothing of the others'. The first argument is how long counters live, then a limit a key.
 * Gives 1 or 0.
 */
const TAKE_ANSWER = `
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
  const taken = await ctx.redis.eval(TAKE_ANSWER, keys, [KEPT_SECONDS, ...limits]).catch((cause: unknown) => {
    throw uncounted(cause);
  });
  return taken === 1;
}
