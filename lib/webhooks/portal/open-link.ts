import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { apiKeys } from '#drizzle/schema/access.ts';
import { portalLinks } from '#drizzle/schema/portal.ts';
import { toIso } from '#lib/base/clock.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { randomBase62 } from '#lib/base/ids.ts';
import { sha256Hex } from '#lib/base/secretbox.ts';
import type { Ctx } from '#lib/ctx.ts';
import { isUsable } from './authenticate-portal.ts';
import type { PortalSession } from './contracts.ts';

/** More than 256 bits. */
const TOKEN_DIGITS = 43;

/**
 * Opens a link, which only its first visitor can: two at once are one statement after the other, and the second finds it
 * opened. Throws `gone`, which does not say whether there ever was such a link.
 */
export async function openPortalLink(ctx: Ctx, linkToken: string): Promise<PortalSession> {
  const sessionToken = `tr_portal_${randomBase62(ctx.random, TOKEN_DIGITS)}`;
  const [row] = await ctx.db
    .update(portalLinks)
    .set({ sessionHash: sha256Hex(sessionToken), openedAt: sql`now()` })
    .from(apiKeys)
    .where(
      and(
        eq(portalLinks.linkHash, sha256Hex(linkToken)),
        isNull(portalLinks.openedAt),
        gt(portalLinks.opensUntil, sql`now()`),
        isUsable,
      ),
    )
    .returning({
      id: portalLinks.id,
      keyId: portalLinks.keyId,
      expiresAt: portalLinks.expiresAt,
      scopes: portalLinks.scopes,
      projectId: portalLinks.projectId,
      walletAddress: apiKeys.walletAddress,
      keyPrefix: apiKeys.prefix,
    });
  if (row === undefined) {
    const detail = 'This link was opened already, has expired or was ended. Ask for a new one where you got it.';
    throw new PlatformError('gone', detail);
  }
  ctx.log.info({ portal_link: row.id, key: row.keyId }, 'a portal link was opened');
  return {
    session_token: sessionToken,
    expires_at: toIso(row.expiresAt),
    read_only: !row.scopes.includes('webhooks:write'),
    project_id: row.projectId,
    wallet_address: row.walletAddress,
    key_prefix: row.keyPrefix,
  };
}
