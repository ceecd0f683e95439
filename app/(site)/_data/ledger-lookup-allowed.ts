import { headers } from 'next/headers';
import { clientIp } from '#lib/api/client-ip.ts';
import { systemClock } from '#lib/base/clock.ts';
import { env } from '#lib/base/env.ts';
import { RateLimiter } from '#lib/base/rate-limiter.ts';

/** A page that watches a payment asks 20 times a minute; a few of them may be open. */
const LOOKS_PER_MINUTE = 120;
const looks = new RateLimiter();

/** Counts a page that asks the ledger on its visitor's behalf: beyond the limit of a minute and caller it must not. */
export async function isLedgerLookupAllowed(): Promise<boolean> {
  const limit = LOOKS_PER_MINUTE * env().RATE_LIMIT_SCALE;
  return looks.takeCaller(clientIp(await headers()), limit, systemClock.nowMs()).allowed;
}
