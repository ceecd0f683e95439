import { eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { walletChallenges } from '#drizzle/schema/access.ts';
import { env } from '#lib/base/env.ts';
import { fieldError, PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import { hasAccountFlag } from '#lib/xrpl/account.ts';
import type { AccountState } from '#lib/xrpl/types.ts';
import { challengeText, type Purpose } from './challenge-text.ts';
import type { proof } from './proof.ts';

/** A healthy network closes a ledger every few seconds: an older one may show a key that was taken away since. */
export const STALE_LEDGER_MS = 60_000;

/** When the ledger closed that shows the account, or shows none. */
async function closedAtMs(ctx: Ctx, ledgerIndex: number | undefined): Promise<number> {
  if (ledgerIndex !== undefined) return ctx.ledger.closedAtMs(ledgerIndex);
  return (await ctx.ledger.serverState()).validatedAtMs;
}

/**
 * The wallet's account in the newest validated ledger; null when there is none. Throws `ledger_unavailable` while that
 * ledger is more than a minute old: whose key it is now, nobody can say then.
 */
export async function readWalletAccount(ctx: Ctx, walletAddress: string): Promise<AccountState | null> {
  const account = await ctx.ledger.account(walletAddress);
  const ageMs = ctx.clock.nowMs() - (await closedAtMs(ctx, account?.ledgerIndex));
  if (ageMs <= STALE_LEDGER_MS) return account;
  throw new PlatformError(
    'ledger_unavailable',
    `The newest ledger that can be read is ${Math.round(ageMs / 1000)} s old; the wallet’s keys may have changed since. Try again in a minute with a new challenge.`,
  );
}

interface Signature {
  /** Hexadecimal, 33 bytes. */
  public_key: string;
  /** Hexadecimal. */
  signature: string;
}

/**
 * Address of the key that signed exactly these bytes of `text`, or null. Strict: DER and the low half of the curve for
 * secp256k1, RFC 8032 for Ed25519. The library is loaded only for a proof.
 */
async function signedBy(text: string, { public_key: publicKey, signature }: Signature): Promise<string | null> {
  const { deriveAddress, verify } = await import('ripple-keypairs');
  try {
    const signed = verify(Buffer.from(text, 'utf8').toString('hex').toUpperCase(), signature, publicKey);
    return signed ? deriveAddress(publicKey) : null;
  } catch {
    // A signature or a point that cannot be read.
    return null;
  }
}

/**
 * True when the key may speak for the wallet as the validated ledger shows it: its current regular key, or its master key
 * unless that is disabled (docs/ledger-facts.md, 26). An account that does not exist yet (null) has its master key
 * only. Pure.
 */
function maySignFor(
  keyAddress: string,
  walletAddress: string,
  account: Pick<AccountState, 'flags' | 'regularKey'> | null,
): boolean {
  if (account !== null && keyAddress === account.regularKey) return true;
  return keyAddress === walletAddress && (account === null || !hasAccountFlag(account, 'disableMasterKey'));
}

const refused = (name: 'challenge_id' | 'public_key' | 'signature', message: string) =>
  fieldError(`proof.${name}`, message, { code: 'invalid_proof' });

/** Takes the challenge away, so that it is tried once, however many ask at the same time. */
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
    throw refused('challenge_id', 'is unknown, used or expired (five minutes): request a new challenge');
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
    throw refused('challenge_id', 'was issued for another action or wallet: request a challenge for this one');
  }
  const keyAddress = await signedBy(text, given);
  if (keyAddress === null) {
    throw refused('signature', 'does not fit the public key and the bytes of the challenge’s `message`');
  }
  const account = await readWalletAccount(ctx, walletAddress);
  if (!maySignFor(keyAddress, walletAddress, account)) {
    throw refused('public_key', 'is neither the wallet’s master key, unless disabled, nor its current regular key');
  }
  return walletAddress;
}
