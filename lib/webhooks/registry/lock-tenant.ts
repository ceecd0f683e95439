import { and, eq, gt, isNull, or, sql } from 'drizzle-orm';
import { apiKeys, tenants } from '#drizzle/schema/access.ts';
import type { Tx } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { ActingTenant } from './acting-tenant.ts';

/**
 * Locks the tenant, as revocation does, and throws `unauthorized` when the key was revoked since it was checked at the
 * door. The administrators' tenant is made when it is first needed. `limited` is true for a tenant that proved nothing.
 */
export async function lockTenant(tx: Tx, { tenantId, keyId }: ActingTenant): Promise<{ limited: boolean }> {
  if (keyId === null) await tx.insert(tenants).values({ id: tenantId }).onConflictDoNothing();
  const [tenant] = await tx
    .select({ provenWallet: tenants.provenWallet })
    .from(tenants)
    .where(eq(tenants.id, tenantId))
    .for('no key update');
  if (tenant === undefined || (keyId !== null && !(await isLive(tx, keyId)))) {
    // Revoked since it was checked at the door: its webhooks are gone, and a new one would be nobody's.
    throw new PlatformError('unauthorized', 'This API key was revoked.', {
      headers: { 'www-authenticate': 'Bearer' },
    });
  }
  return { limited: keyId !== null && tenant.provenWallet === null };
}

async function isLive(tx: Tx, keyId: string): Promise<boolean> {
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
  return key !== undefined;
}
