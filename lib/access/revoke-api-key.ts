import { and, eq, gt, isNull, or, sql } from 'drizzle-orm';
import { apiKeys, tenants } from '#drizzle/schema/access.ts';
import { deliveries, webhooks } from '#drizzle/schema/events.ts';
import type { Ctx } from '#lib/ctx.ts';
import { toIso } from '#lib/platform/clock.ts';
import type { Tx } from '#lib/platform/db.ts';
import { PlatformError } from '#lib/platform/errors.ts';
import { sha256Hex } from '#lib/platform/secretbox.ts';
import { isApiKeyForm } from './api-key-form.ts';

/** Nobody can manage these webhooks any more, so they stop, and what still waited for them is cancelled. */
async function stopWebhooks(tx: Tx, tenantId: string): Promise<void> {
  await tx
    .update(webhooks)
    .set({ active: false, updatedAt: sql`now()` })
    .where(and(eq(webhooks.tenantId, tenantId), eq(webhooks.active, true)));
  // Rows are locked in one order everywhere, so a batch of outcomes and this cannot deadlock.
  await tx.execute(sql`
    with open as (
      select d.id from ${deliveries} d join ${webhooks} w on w.id = d.webhook_id
      where w.tenant_id = ${tenantId} and d.status in ('pending', 'retrying')
      order by d.id for no key update of d
    )
    update ${deliveries} d set status = 'cancelled', due_at = null from open where d.id = open.id`);
}

/**
 * Revokes the key that is given. Idempotent: the first time stands. The last live key of an unproven tenant takes its
 * webhooks along (design section 7). Throws `not_found` for what is no key of this platform.
 */
export async function revokeApiKey(ctx: Ctx, apiKey: string): Promise<{ id: string; revoked_at: string }> {
  const unknown = () => new PlatformError('not_found', 'There is no such API key.');
  if (!isApiKeyForm(apiKey)) throw unknown();
  const keyHash = sha256Hex(apiKey);
  return ctx.db.transaction(async (tx) => {
    // The tenant's row is the lock: two keys revoked at once must not each take the other for the last one.
    const [owner] = await tx
      .select({ tenantId: tenants.id, provenWallet: tenants.provenWallet })
      .from(tenants)
      .innerJoin(apiKeys, eq(apiKeys.tenantId, tenants.id))
      .where(eq(apiKeys.keyHash, keyHash))
      .for('no key update', { of: tenants });
    if (owner === undefined) throw unknown();
    const [row] = await tx
      .update(apiKeys)
      .set({ revokedAt: sql`coalesce(${apiKeys.revokedAt}, now())` })
      .where(eq(apiKeys.keyHash, keyHash))
      .returning({ id: apiKeys.id, revokedAt: apiKeys.revokedAt });
    if (row?.revokedAt == null) throw unknown();
    if (owner.provenWallet === null) {
      const live = await tx
        .select({ id: apiKeys.id })
        .from(apiKeys)
        .where(
          and(
            eq(apiKeys.tenantId, owner.tenantId),
            isNull(apiKeys.revokedAt),
            or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, sql`now()`)),
          ),
        )
        .limit(1);
      if (live.length === 0) await stopWebhooks(tx, owner.tenantId);
    }
    return { id: row.id, revoked_at: toIso(row.revokedAt) };
  });
}
