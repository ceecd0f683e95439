import { and, count, eq, gt, lte, min, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { walletChallenges } from '#drizzle/schema/access.ts';
import type { Ctx } from '#lib/ctx.ts';
import { toIso } from '#lib/platform/clock.ts';
import type { Tx } from '#lib/platform/db.ts';
import { env } from '#lib/platform/env.ts';
import { PlatformError } from '#lib/platform/errors.ts';
import { newId } from '#lib/platform/ids.ts';
import { challengeText, type Purpose } from './challenge-text.ts';
import type { challengeBody } from './contracts.ts';
import { takeWindow } from './take-window.ts';

/** Long enough to fetch a hardware wallet. */
const LIFETIME_MINUTES = 5;
/** Open challenges of one wallet, whoever asked: above what one caller may ask for, so that nobody alone shuts a wallet out. */
const OPEN_PER_WALLET = 50;
/** Challenges that one caller may ask for one wallet within five minutes. */
const PER_CALLER_AND_WALLET = 10;

interface Challenge {
  id: string;
  /** The text to sign, its UTF-8 bytes as they are. */
  message: string;
  wallet_address: string;
  expires_at: string;
}

const tooMany = (seconds: number) =>
  new PlatformError('rate_limited', `Too many challenges for this wallet are open. Try again in ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  });

/** Who cannot be counted is let through: the wallet's own limit holds without Redis, and a stolen key must be revocable. */
async function takeCallersShare(ctx: Ctx, caller: string, walletAddress: string): Promise<void> {
  if (ctx.actor.kind === 'system') return;
  const share = {
    name: 'challenges',
    per: `${caller} ${walletAddress}`,
    limit: PER_CALLER_AND_WALLET,
    window: '5 m',
  } as const;
  const resetSeconds = await takeWindow(ctx, share).catch((err: unknown) => {
    ctx.log.warn({ err }, 'challenges are not counted per caller');
    return null;
  });
  if (resetSeconds !== null) throw tooMany(resetSeconds);
}

/**
 * When a challenge that is made now ends, by the database's clock; throws `rate_limited` when the wallet has as many open
 * ones as it may. Holds the wallet until the transaction ends, so that two at once cannot both be the last.
 */
async function requireRoom(tx: Tx, walletAddress: string): Promise<Date> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`challenges of ${walletAddress}`}, 0))`);
  await tx
    .delete(walletChallenges)
    .where(and(eq(walletChallenges.walletAddress, walletAddress), lte(walletChallenges.expiresAt, sql`now()`)));
  const [open] = await tx
    .select({
      challenges: count(),
      nextEndsInSeconds: sql<number>`ceil(extract(epoch from ${min(walletChallenges.expiresAt)} - now()))`.mapWith(
        Number,
      ),
      expiresAt: sql`now() + make_interval(mins => ${LIFETIME_MINUTES}::integer)`.mapWith(walletChallenges.expiresAt),
    })
    .from(walletChallenges)
    .where(and(eq(walletChallenges.walletAddress, walletAddress), gt(walletChallenges.expiresAt, sql`now()`)));
  if (open === undefined) throw new Error('A count gave no row');
  if (open.challenges >= OPEN_PER_WALLET) throw tooMany(open.nextEndsInSeconds);
  return open.expiresAt;
}

/**
 * A text for the wallet to sign, good for one try within five minutes (design section 7). Throws `rate_limited` when too
 * many are open.
 */
export async function issueChallenge(
  ctx: Ctx,
  body: z.output<typeof challengeBody>,
  caller = 'unknown',
): Promise<Challenge> {
  const purpose: Purpose = body.action === 'revoke_key' ? `revoke_key ${body.key_id}` : body.action;
  await takeCallersShare(ctx, caller, body.wallet_address);
  const id = newId('chl', ctx.random);
  return ctx.db.transaction(async (tx) => {
    const expiresAt = await requireRoom(tx, body.wallet_address);
    const message = challengeText({
      domain: new URL(env().BASE_URL).host,
      networkId: env().XRPL_NETWORK_ID,
      purpose,
      walletAddress: body.wallet_address,
      nonce: id,
      expiresAt,
    });
    await tx
      .insert(walletChallenges)
      .values({ id, walletAddress: body.wallet_address, action: purpose, message, expiresAt });
    return { id, message, wallet_address: body.wallet_address, expires_at: toIso(expiresAt) };
  });
}
