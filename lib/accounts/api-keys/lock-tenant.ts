import { and, eq } from 'drizzle-orm';
import { apiKeys, tenants } from '#drizzle/schema/access.ts';
import type { Tx } from '#lib/base/db.ts';
import { isLive, revoked } from './claim-tenant.ts';

/**
 * Locks the tenant, as revocation does, and throws `unauthorized` when the key was revoked since it was checked at the
 * door. The administrators' tenant is made when it is first needed. `limited` is true for a tenant that proved nothing;
 * `provenWallet` is what it proved.
 */
export async function lockTenant(
  tx: Tx,
  { tenantId, keyId }: { tenantId: string; keyId: string | null },
): Promise<{ limited: boolean; provenWallet: string | null }> {
  if (keyId === null) await tx.insert(tenants).values({ id: tenantId }).onConflictDoNothing();
  const [tenant] = await tx
    .select({ provenWallet: tenants.provenWallet })
    .from(tenants)
    .where(eq(tenants.id, tenantId))
    .for('no key update');
  // Revoked since it was checked at the door: its webhooks are gone, and a new one would be nobody's.
  if (tenant === undefined || (keyId !== null && !(await hasLiveKey(tx, keyId)))) throw revoked();
  return { limited: keyId !== null && tenant.provenWallet === null, provenWallet: tenant.provenWallet };
}

async function hasLiveKey(tx: Tx, keyId: string): Promise<boolean> {
  const [key] = await tx
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(eq(apiKeys.id, keyId), isLive));
  return key !== undefined;
}
