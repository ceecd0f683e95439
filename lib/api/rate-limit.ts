import type { Contract, RateLimitClass } from '#lib/base/contract.ts';
import { env } from '#lib/base/env.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { RateLimiter, takeShared, type Verdict } from '#lib/base/rate-limiter.ts';
import type { Redis } from '#lib/base/redis.ts';
import type { Actor } from '#lib/ctx.ts';

/** Requests a minute and caller for each class. Internal callers hold a secret; of theirs only refusals are limited. */
export const LIMITS_PER_MINUTE: Record<RateLimitClass, number | null> = {
  read: 600,
  export: 30,
  stream: 30,
  write: 120,
  create_key: 20,
  sign_in: 20,
  chat: 20,
  internal: null,
};

/** What answers 503 while requests cannot be counted over all instances: each of these costs us, or can be done for gain. */
const STOPPED_WITHOUT_CACHE: Partial<Record<RateLimitClass, string>> = {
  create_key: 'Keys cannot be made right now. Try again in a minute.',
  sign_in: 'Nobody can sign in right now. Try again in a minute.',
  chat: 'The assistant is not available right now. Try again in a minute.',
};

export const stopsWithoutCache = ({ rateLimit }: Contract): boolean => STOPPED_WITHOUT_CACHE[rateLimit] !== undefined;

/** For reads, and for writes and exports while Redis is away. */
const inProcess = new RateLimiter();

/** The answer over a limit on `what`, which says when to come back. */
export const rateLimited = (
  { limit, resetSeconds }: Verdict,
  what: string,
  headers: Record<string, string> = {},
): PlatformError =>
  new PlatformError('rate_limited', `At most ${limit} ${what} a minute. Try again in ${resetSeconds} s.`, {
    headers: { ...headers, 'retry-after': String(resetSeconds) },
  });

const limitOf = ({ rateLimit }: Contract): number | null => {
  const base = LIMITS_PER_MINUTE[rateLimit];
  return base === null ? null : base * env().RATE_LIMIT_SCALE;
};

/** The headers that tell of a count, beside those of an earlier one; throws `rate_limited` over the limit. */
function judged(policy: string, verdict: Verdict, before: Record<string, string>): Record<string, string> {
  const { limit, remaining, resetSeconds } = verdict;
  const joined = (name: string, item: string) => (before[name] === undefined ? item : `${before[name]}, ${item}`);
  const headers = {
    'ratelimit-policy': joined('ratelimit-policy', `"${policy}";q=${limit};w=60`),
    ratelimit: joined('ratelimit', `"${policy}";r=${remaining};t=${resetSeconds}`),
  };
  if (!verdict.allowed) throw rateLimited(verdict, 'requests', headers);
  return headers;
}

/** Counts one in the process for a read, else in Redis; `redis` and `nowMs` are of the request. */
async function count(
  { rateLimit }: Contract,
  { policy, who, limit }: { policy: string; who: string; limit: number },
  redis: () => Redis,
  nowMs: number,
): Promise<Verdict> {
  if (rateLimit === 'read') return inProcess.takeCaller(who, limit, nowMs, policy);
  try {
    return await takeShared(redis(), { name: policy, caller: who, limit, window: '60 s' });
  } catch (cause) {
    const stopped = STOPPED_WITHOUT_CACHE[rateLimit];
    if (stopped === undefined) return inProcess.takeCaller(who, limit, nowMs, policy);
    throw new PlatformError('service_unavailable', stopped, { cause, headers: { 'retry-after': '60' } });
  }
}

/** `takeRateLimit` for an operation of the class `read`, which needs no Redis. */
export function takeReadLimit(contract: Contract, caller: string, nowMs: number): Record<string, string> {
  const limit = limitOf(contract);
  if (contract.rateLimit !== 'read' || limit === null) throw new Error(`${contract.id} is not limited as a read`);
  return judged('read', inProcess.takeCaller(caller, limit, nowMs, 'read'), {});
}

/**
 * Counts one request of a caller, known by its address, and gives the `RateLimit` headers; throws `rate_limited` over the
 * limit. Reads count in the process, the rest in Redis. While Redis is away or slow, writes and exports count in the
 * process, and key creation and the assistant stop with `service_unavailable`.
 */
export async function takeRateLimit(
  contract: Contract,
  caller: string,
  redis: () => Redis,
  nowMs: number,
): Promise<Record<string, string>> {
  const limit = limitOf(contract);
  if (limit === null) return {};
  const policy = contract.rateLimit;
  return judged(policy, await count(contract, { policy, who: caller, limit }, redis, nowMs), {});
}

/**
 * Counts the same request of an API key, of a session of the portal or of a member, from wherever it comes, under a policy of its own, and
 * adds that to the headers: a session takes nothing of its key's allowance. Anybody else is counted by the address alone.
 */
export async function takeKeyRateLimit(
  contract: Contract,
  actor: Actor,
  redis: () => Redis,
  nowMs: number,
  headers: Record<string, string>,
): Promise<Record<string, string>> {
  const limit = limitOf(contract);
  if (limit === null) return headers;
  const counted = (policy: string, who: string) =>
    count(contract, { policy, who, limit }, redis, nowMs).then((verdict) => judged(policy, verdict, headers));
  if (actor.kind === 'api_key') return counted(`${contract.rateLimit}_key`, actor.keyId);
  if (actor.kind === 'portal') return counted(`${contract.rateLimit}_portal`, actor.linkId);
  // All sessions of a member together: signing in again gives nothing more.
  if (actor.kind === 'member') return counted(`${contract.rateLimit}_member`, actor.memberId);
  return headers;
}
