import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import { walletChallenges } from '#drizzle/schema/access.ts';
import { toIso } from '#lib/base/clock.ts';
import { env } from '#lib/base/env.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { takeShared } from '#lib/base/rate-limiter.ts';
import type { Ctx } from '#lib/ctx.ts';
import { challengeText, type Purpose } from './challenge-text.ts';
import type { challengeBody } from './contracts.ts';

/** Long enough to fetch a hardware wallet. */
const LIFETIME_MINUTES = 5;
/** Challenges that one caller may ask for one wallet within five minutes. What others asked for never counts against it. */
const PER_CALLER_AND_WALLET = 10;

interface Challenge {
  id: string;
  /** The text to sign, its UTF-8 bytes as they are. */
  message: string;
  wallet_address: string;
  expires_at: string;
}

/** A caller that cannot be counted is let through: a stolen key must be revocable without Redis. */
async function takeCallersShare(ctx: Ctx, caller: string, walletAddress: string): Promise<void> {
  if (ctx.actor.kind === 'system') return;
  const share = {
    name: 'challenges',
    caller,
    per: walletAddress,
    limit: PER_CALLER_AND_WALLET * env().RATE_LIMIT_SCALE,
    window: '5 m',
  } as const;
  const verdict = await takeShared(ctx.redis, share).catch((err: unknown) => {
    ctx.log.warn({ err }, 'challenges are not counted per caller');
    return null;
  });
  if (verdict === null || verdict.allowed) return;
  const { resetSeconds } = verdict;
  throw new PlatformError(
    'rate_limited',
    `You have asked for too many challenges for this wallet. Try again in ${resetSeconds} s.`,
    { headers: { 'retry-after': String(resetSeconds) } },
  );
}

/** Removes what is over, and gives when a challenge that is made now ends, by the database's clock. */
async function nextExpiry(ctx: Ctx, walletAddress: string): Promise<Date> {
  // Rows that another request is removing are left to it: two at once must not wait for each other.
  await ctx.db.execute(sql`
    delete from ${walletChallenges} where id in (
      select id from ${walletChallenges} where wallet_address = ${walletAddress} and expires_at <= now()
      for update skip locked)`);
  const [now] = await ctx.db
    .select({
      ends: sql`now() + make_interval(mins => ${LIFETIME_MINUTES}::integer)`.mapWith(walletChallenges.expiresAt),
    })
    .from(sql`(select) as clock`);
  if (now === undefined) throw new Error('The clock gave no row');
  return now.ends;
}

/**
 * A text for the wallet to sign, good for one try within five minutes (docs/access.md#sign-a-challenge). Throws
 * `rate_limited` when this caller has asked for too many; open ones, however many and by whomever they were asked for,
 * refuse nobody.
 */
export async function issueChallenge(
  ctx: Ctx,
  body: z.output<typeof challengeBody>,
  caller = 'unknown',
): Promise<Challenge> {
  const purpose: Purpose = body.action === 'revoke_key' ? `revoke_key ${body.key_id}` : body.action;
  await takeCallersShare(ctx, caller, body.wallet_address);
  const id = newId('chl', ctx.random);
  const expiresAt = await nextExpiry(ctx, body.wallet_address);
  const message = challengeText({
    domain: new URL(env().BASE_URL).host,
    networkId: env().XRPL_NETWORK_ID,
    purpose,
    walletAddress: body.wallet_address,
    nonce: id,
    expiresAt,
  });
  await ctx.db
    .insert(walletChallenges)
    .values({ id, walletAddress: body.wallet_address, action: purpose, message, expiresAt });
  return { id, message, wallet_address: body.wallet_address, expires_at: toIso(expiresAt) };
}
