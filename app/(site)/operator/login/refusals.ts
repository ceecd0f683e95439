import { openSession } from '#lib/accounts/administrators/session.ts';
import { env } from '#lib/base/env.ts';
import type { RandomBytes } from '#lib/base/ids.ts';
import { RateLimiter } from '#lib/base/rate-limiter.ts';

/** Wrong tokens a minute and caller, after which the answer says that there were many and the log no longer names each. */
export const REFUSALS_PER_MINUTE = 10;
const MOST_CHARACTERS = 512;
const refusals = new RateLimiter();

type SignIn = { session: string } | { fault: string; isLogged: boolean };

/**
 * A session for an administrator's token, or what to tell who gave another text. The right token is taken however many
 * wrong ones came from its address: it is 256 random bits, which nobody guesses at any rate, while a lock would let one
 * person behind an address keep out everybody else behind it.
 */
export function checkToken(given: unknown, caller: string, nowMs: number, random: RandomBytes): SignIn {
  const token = typeof given === 'string' && given.length <= MOST_CHARACTERS ? given.trim() : '';
  const session = openSession(token, nowMs, random);
  if (session !== null) return { session };
  const { allowed } = refusals.takeCaller(caller, REFUSALS_PER_MINUTE * env().RATE_LIMIT_SCALE, nowMs);
  const fault = 'This is no administrator’s token.';
  return { fault: allowed ? fault : `${fault} Many wrong ones came from your address.`, isLogged: allowed };
}
