import { and, eq, gt, isNull, or, sql } from 'drizzle-orm';
import { apiKeys, tenants } from '#drizzle/schema/access.ts';
import type { Tx } from '#lib/platform/db.ts';
import { PlatformError } from '#lib/platform/errors.ts';

/** Locks the tenant, as revocation does, and throws `unauthorized` when the key was revoked since it was checked at the door. */
export async function requireLiveKey(tx: Tx, tenantId: string, keyId: string) {
  const [tenant] = await tx
    .select({ provenWallet: tenants.provenWallet })
    .from(tenants)
    .where(eq(tenants.id, tenantId))
    .for('no key update');
  const [key] = await tx
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.id, keyId),
        isNull(apiKeys.revokedAt),
        or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, sql`now()`)),
      ),
    );
  // Revoked since it was checked at the door: its webhooks are gone, and a new one would be nobody's.
  if (tenant === undefined || key === undefined) {
    throw new PlatformError('unauthorized', 'This API key was revoked.', {
      headers: { 'www-authenticate': 'Bearer' },
    });
  }
  return tenant;
}
