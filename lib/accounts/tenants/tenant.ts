import { and, eq, gt, isNull, or, type SQL, sql } from 'drizzle-orm';
import { apiKeys, tenants } from '#drizzle/schema/access.ts';
import { webhooks } from '#drizzle/schema/events.ts';
import { textArray } from '#lib/base/bulk.ts';
import type { Tx } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import type { Ctx } from '#lib/ctx.ts';

/** Live keys of a proven wallet, and of a tenant that proved nothing. */
const LIVE_KEYS = { proven: 20, unproven: 5 } as const;

/** Since it was checked at the door. */
const revoked = () =>
  new PlatformError('unauthorized', 'This API key was revoked.', { headers: { 'www-authenticate': 'Bearer' } });

/** What a new key belongs to: a wallet that proved itself, the tenant of the key that asks, or nobody yet. */
export type Owner =
  | { kind: 'wallet'; walletAddress: string }
  | { kind: 'key'; keyId: string; tenantId: string }
  | { kind: 'nobody' };

interface Claimed {
  tenantId: string;
  proven: boolean;
}

/** Of a key: neither revoked nor over, by the database's clock. */
export const isLive: SQL | undefined = and(
  isNull(apiKeys.revokedAt),
  or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, sql`now()`)),
);

/**
 * The tenant that a new key is to join, locked and with room for it. A wallet has one tenant, however many ask for it at
 * once. Throws `unauthorized` when the key that asks was revoked meanwhile, `limit_reached` at the tenant's limit.
 */
export async function claimTenant(tx: Tx, ctx: Ctx, owner: Owner): Promise<Claimed> {
  const newTenantId = newId('ten', ctx.random);
  if (owner.kind === 'nobody') {
    await tx.insert(tenants).values({ id: newTenantId });
    return { tenantId: newTenantId, proven: false };
  }
  if (owner.kind === 'wallet') await insertForWallet(tx, newTenantId, owner.walletAddress);
  const [tenant] = await tx
    .select({ id: tenants.id, provenWallet: tenants.provenWallet })
    .from(tenants)
    .where(owner.kind === 'wallet' ? eq(tenants.provenWallet, owner.walletAddress) : eq(tenants.id, owner.tenantId))
    .for('no key update');
  if (tenant === undefined) throw revoked();
  const proven = tenant.provenWallet !== null;
  await requireRoom(tx, { tenantId: tenant.id, proven }, owner.kind === 'key' ? owner.keyId : null);
  return { tenantId: tenant.id, proven };
}

/** A wallet has one tenant, however many ask for it at once. */
async function insertForWallet(tx: Tx, id: string, provenWallet: string): Promise<void> {
  await tx.insert(tenants).values({ id, provenWallet }).onConflictDoNothing({ target: tenants.provenWallet });
}

/** The tenant of a wallet that proved itself, made when it is first needed, and locked. */
export async function lockWalletTenant(tx: Tx, ctx: Pick<Ctx, 'random'>, provenWallet: string): Promise<string> {
  await insertForWallet(tx, newId('ten', ctx.random), provenWallet);
  const [tenant] = await tx
    .select({ id: tenants.id })
    .from(tenants)
    .where(eq(tenants.provenWallet, provenWallet))
    .for('no key update');
  if (tenant === undefined) throw new Error('The tenant of a wallet was not found where it was just made');
  return tenant.id;
}

/** Locks a tenant that has members. Gives the wallet that it is of. */
export async function lockProvenTenant(tx: Tx, tenantId: string): Promise<string> {
  const [tenant] = await tx
    .select({ provenWallet: tenants.provenWallet })
    .from(tenants)
    .where(eq(tenants.id, tenantId))
    .for('no key update');
  if (tenant?.provenWallet == null) throw new Error('A tenant with members is that of a proven wallet');
  return tenant.provenWallet;
}

/** Under the tenant's lock: what its holder before has written is seen, so two at once cannot both be the last. */
async function requireRoom(tx: Tx, { tenantId, proven }: Claimed, askingKeyId: string | null): Promise<void> {
  const live = await tx
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(eq(apiKeys.tenantId, tenantId), isLive));
  if (askingKeyId !== null && !live.some(({ id }) => id === askingKeyId)) {
    throw revoked();
  }
  const limit = proven ? LIVE_KEYS.proven : LIVE_KEYS.unproven;
  if (live.length >= limit) {
    throw new PlatformError(
      'limit_reached',
      `${proven ? 'A wallet' : 'An unproven wallet'} may have ${limit} live keys. Revoke one first.`,
    );
  }
}

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

/** Removes those of the given tenants that have neither keys nor webhooks. */
export async function removeEmptyTenants(tx: Tx, tenantIds: readonly string[]): Promise<void> {
  await tx.execute(sql`
    delete from ${tenants} t where t.id = any(${textArray(tenantIds)})
      and not exists (select from ${apiKeys} k where k.tenant_id = t.id)
      and not exists (select from ${webhooks} w where w.tenant_id = t.id)`);
}
