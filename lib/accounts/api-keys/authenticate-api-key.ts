import { and, eq, gt, isNull, or, sql } from 'drizzle-orm';
import { apiKeys } from '#drizzle/schema/access.ts';
import { SCOPES } from '#lib/base/contract.ts';
import { sha256Hex } from '#lib/base/secretbox.ts';
import type { Actor, Ctx } from '#lib/ctx.ts';
import { isApiKeyForm } from './api-key-form.ts';

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
