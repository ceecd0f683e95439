import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { apiKeys, tenants } from '#drizzle/schema/access.ts';
import { toIso } from '#lib/base/clock.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { sha256Hex } from '#lib/base/secretbox.ts';
import type { Ctx } from '#lib/ctx.ts';
import { stopOrphanedWebhooks } from '#lib/webhooks/registry/stop-orphaned.ts';
import { isApiKeyForm } from './authenticate-api-key.ts';
import type { revokeApiKeyBody } from './contracts.ts';
import { proveWallet } from './prove-wallet.ts';

interface RevokedApiKey {
  id: string;
  revoked_at: string;
}

const unknown = () => new PlatformError('not_found', 'There is no such API key.');

/**
 * Revokes the key that is given, or the one that is named with a proof of the wallet whose tenant it is in. Idempotent: the
 * first time stands. The last live key of an unproven tenant takes its webhooks along (docs/access.md#revoke). Throws
 * `not_found` for what is no key of this platform or no key of the wallet, and `invalid_proof`.
 */
export async function revokeApiKey(ctx: Ctx, body: z.output<typeof revokeApiKeyBody>): Promise<RevokedApiKey> {
  if (body.key_id !== undefined && body.proof !== undefined) {
    const wallet = await proveWallet(ctx, body.proof, `revoke_key ${body.key_id}`);
    return revokeWhere(ctx, and(eq(apiKeys.id, body.key_id), eq(tenants.provenWallet, wallet)));
  }
  if (body.api_key === undefined || !isApiKeyForm(body.api_key)) throw unknown();
  return revokeWhere(ctx, eq(apiKeys.keyHash, sha256Hex(body.api_key)));
}

function revokeWhere(ctx: Ctx, condition: SQL | undefined): Promise<RevokedApiKey> {
  return ctx.db.transaction(async (tx) => {
    // The tenant's row is the lock: two keys revoked at once must not each take the other for the last one.
    const [key] = await tx
      .select({ id: apiKeys.id, tenantId: tenants.id })
      .from(tenants)
      .innerJoin(apiKeys, eq(apiKeys.tenantId, tenants.id))
      .where(condition)
      .for('no key update', { of: tenants });
    if (key === undefined) throw unknown();
    const [row] = await tx
      .update(apiKeys)
      .set({ revokedAt: sql`coalesce(${apiKeys.revokedAt}, now())` })
      .where(eq(apiKeys.id, key.id))
      .returning({ revokedAt: apiKeys.revokedAt });
    if (row?.revokedAt == null) throw unknown();
    await stopOrphanedWebhooks(tx, [key.tenantId]);
    return { id: key.id, revoked_at: toIso(row.revokedAt) };
  });
}
