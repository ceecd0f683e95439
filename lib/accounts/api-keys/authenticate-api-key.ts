import { crc32 } from 'node:zlib';
import { and, eq, gt, isNull, or, sql } from 'drizzle-orm';
import { apiKeys } from '#drizzle/schema/access.ts';
import { SCOPES } from '#lib/base/contract.ts';
import { type RandomBytes, randomBase62 } from '#lib/base/ids.ts';
import { sha256Hex } from '#lib/base/secretbox.ts';
import type { Actor, Ctx } from '#lib/ctx.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_DIGITS = 32;
/** 62^6 is above 2^32, so six digits hold any CRC-32. */
const CHECKSUM_DIGITS = 6;
/** `tr_live_` and the first six random digits: 26 unknown ones remain, about 154 bits. */
const PREFIX_LENGTH = 14;
const FORM = /^tr_(?:live|test)_[0-9A-Za-z]{38}$/;

/** CRC-32 of everything before it, the mode included: a key of the other mode is not a mistyped key of this one. */
function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_DIGITS; i++) {
    digits = BASE62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** A new key, `tr_<mode>_<32 base62><6 base62 CRC-32>`. Shown once; only its SHA-256 is stored. */
export function newApiKey(mode: 'live' | 'test', random: RandomBytes): string {
  const unchecked = `tr_${mode}_${randomBase62(random, RANDOM_DIGITS)}`;
  return unchecked + checksumOf(unchecked);
}

/** True when the text has the form and checksum of a key; tells a typing fault apart without a query. */
export const isApiKeyForm = (text: string): boolean =>
  FORM.test(text) && checksumOf(text.slice(0, -CHECKSUM_DIGITS)) === text.slice(-CHECKSUM_DIGITS);

/** The part of a key that may be shown again: enough to recognise it, too little to guess the rest. */
export const visiblePrefix = (apiKey: string): string => apiKey.slice(0, PREFIX_LENGTH);

/** `last_used_at` is written at most once in this time, so that reading an API costs no write. */
const LAST_USED_MINUTES = 5;
const lastUsedIsOld = sql<boolean>`coalesce(${apiKeys.lastUsedAt} < now() - make_interval(mins => ${LAST_USED_MINUTES}::integer), true)`;

/**
 * The actor of an API key, or null when the text is no key, an unknown one, a revoked or an expired one. Form and
 * checksum are checked before any query. The look-up is by hash, so its duration tells nothing of the key.
 */
export async function authenticateApiKey(ctx: Ctx, token: string): Promise<Actor | null> {
  if (!isApiKeyForm(token)) return null;
  const [row] = await ctx.db
    .select({
      id: apiKeys.id,
      tenantId: apiKeys.tenantId,
      walletAddress: apiKeys.walletAddress,
      walletVerified: apiKeys.walletVerified,
      scopes: apiKeys.scopes,
      lastUsedIsOld,
    })
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.keyHash, sha256Hex(token)),
        isNull(apiKeys.revokedAt),
        or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, sql`now()`)),
      ),
    );
  if (row === undefined) return null;
  if (row.lastUsedIsOld) {
    await ctx.db
      .update(apiKeys)
      .set({ lastUsedAt: sql`now()` })
      .where(and(eq(apiKeys.id, row.id), lastUsedIsOld));
  }
  return {
    kind: 'api_key',
    keyId: row.id,
    tenantId: row.tenantId,
    walletAddress: row.walletAddress,
    walletVerified: row.walletVerified,
    scopes: SCOPES.filter((scope) => row.scopes.includes(scope)),
  };
}
