import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { apiKeys } from '#drizzle/schema/access.ts';
import { portalLinks } from '#drizzle/schema/portal.ts';
import { isLive } from '#lib/accounts/tenants/tenant.ts';
import { SCOPES } from '#lib/base/contract.ts';
import { sha256Hex } from '#lib/base/secretbox.ts';
import type { Actor, Ctx } from '#lib/ctx.ts';

const FORM = /^tr_portal_[0-9A-Za-z]{43}$/;

/**
 * Of a link beside its key, by the database's clock: neither over nor ended, and the key lives and has every scope that the
 * link was given. So what becomes of the key holds for the portal from the next request on.
 */
export const isUsable = and(
  eq(apiKeys.id, portalLinks.keyId),
  isLive,
  gt(portalLinks.expiresAt, sql`now()`),
  isNull(portalLinks.endedAt),
  sql`${portalLinks.scopes} <@ ${apiKeys.scopes}`,
);

/** The actor of a session of the portal, or null. The look-up is by hash, so its duration tells nothing of the token. */
export async function authenticatePortal(ctx: Ctx, token: string): Promise<Actor | null> {
  if (!FORM.test(token)) return null;
  const [row] = await ctx.db
    .select({
      linkId: portalLinks.id,
      keyId: portalLinks.keyId,
      tenantId: apiKeys.tenantId,
      projectId: portalLinks.projectId,
      scopes: portalLinks.scopes,
    })
    .from(portalLinks)
    .innerJoin(apiKeys, isUsable)
    .where(eq(portalLinks.sessionHash, sha256Hex(token)));
  if (row === undefined) return null;
  return { kind: 'portal', ...row, scopes: SCOPES.filter((scope) => row.scopes.includes(scope)) };
}
