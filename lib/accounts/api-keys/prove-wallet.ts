import { eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { walletChallenges } from '#drizzle/schema/access.ts';
import { env } from '#lib/base/env.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import { challengeText, type Purpose } from './challenge-text.ts';
import { readWalletAccount } from './read-wallet-account.ts';
import type { proof } from './schemas.ts';
import { signedBy, speaksFor } from './signing-key.ts';

const refused = (name: 'challenge_id' | 'public_key' | 'signature', message: string) => {
  const field = `proof.${name}`;
  return new PlatformError('invalid_proof', `${field}: ${message}`, { errors: [{ field, message }] });
};

/** Takes the challenge away, so that it is tried once, whatever comes of it and however many ask at the same time. */
async function consume(ctx: Ctx, challengeId: string) {
  const [challenge] = await ctx.db
    .delete(walletChallenges)
    .where(eq(walletChallenges.id, challengeId))
    .returning({
      walletAddress: walletChallenges.walletAddress,
      message: walletChallenges.message,
      expiresAt: walletChallenges.expiresAt,
      isOpen: sql<boolean>`${walletChallenges.expiresAt} > now()`,
    });
  return challenge;
}

/**
 * The wallet that a proof is of, when it was made for this purpose, here, within its time and, where one is named, by that
 * wallet. Throws `invalid_proof` naming what is wrong; `ledger_unavailable` or `service_unavailable` when nobody can say
 * whose key it is, now and not a while ago. The challenge is used up in every case.
 */
export async function proveWallet(
  ctx: Ctx,
  given: z.output<typeof proof>,
  purpose: Purpose,
  wallet?: string,
): Promise<string> {
  const challenge = await consume(ctx, given.challenge_id);
  if (challenge?.isOpen !== true) {
    throw refused('challenge_id', 'is unknown, used or more than five minutes old: ask for a new challenge');
  }
  const { walletAddress } = challenge;
  // What this deployment would ask to be signed now: a text made for another domain, network or action differs.
  const text = challengeText({
    domain: new URL(env().BASE_URL).host,
    networkId: env().XRPL_NETWORK_ID,
    purpose,
    walletAddress,
    nonce: given.challenge_id,
    expiresAt: challenge.expiresAt,
  });
  if (challenge.message !== text || (wallet !== undefined && wallet !== walletAddress)) {
    throw refused('challenge_id', 'was made for something else: ask for a challenge of this action and wallet');
  }
  const keyAddress = await signedBy(text, given);
  if (keyAddress === null) {
    throw refused('signature', 'does not fit the public key and the bytes of the challenge’s `message`');
  }
  const account = await readWalletAccount(ctx, walletAddress);
  if (!speaksFor(keyAddress, walletAddress, account)) {
    throw refused('public_key', 'is neither the wallet’s master key, unless disabled, nor its current regular key');
  }
  return walletAddress;
}
