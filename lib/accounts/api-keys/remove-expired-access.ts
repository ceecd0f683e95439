import { inArray, lte, sql } from 'drizzle-orm';
import { apiKeys, tenants, walletChallenges } from '#drizzle/schema/access.ts';
import { webhooks } from '#drizzle/schema/events.ts';
import { removeEmptyTenants } from '#lib/accounts/tenants/tenant.ts';
import { textArray } from '#lib/base/bulk.ts';
import type { Tx } from '#lib/base/db.ts';
import type { Ctx } from '#lib/ctx.ts';
import { stopOrphanedWebhooks } from '#lib/webhooks/registry/stop-orphaned.ts';

/** A key without a wallet proof that nobody used for this long after it was made goes (docs/access.md#limits). */
const UNUSED_DAYS = 30;
/** Tenants that one transaction takes on: it must not hold rows for long. */
const BATCH = 500;

export interface RemovedAccess {
  challenges: number;
  keys: number;
  /** The time was up while something may still be to sweep. */
  more: boolean;
}

/**
 * Removes challenges that are over and unproven keys that were never used, with the tenants that are empty then, and stops
 * webhooks whose unproven tenant has no live key left, expired ones included: batch after batch until `deadlineMs` (of
 * ctx.clock), and at least one batch. Safe beside itself.
 */
export async function removeExpiredAccess(ctx: Ctx, deadlineMs: number): Promise<RemovedAccess> {
  // Rows that another transaction has locked are skipped and go with the next sweep, so this cannot deadlock.
  const ended = ctx.db
    .select({ id: walletChallenges.id })
    .from(walletChallenges)
    .where(lte(walletChallenges.expiresAt, sql`now()`))
    .for('update', { skipLocked: true });
  const gone = await ctx.db.delete(walletChallenges).where(inArray(walletChallenges.id, ended));
  const swept: RemovedAccess = { challenges: gone.rowCount ?? 0, keys: 0, more: false };
  for (;;) {
    const batch = await ctx.db.transaction((tx) => sweepTenants(tx));
    swept.keys += batch.keys;
    if (batch.tenants === 0) return swept;
    if (ctx.clock.nowMs() >= deadlineMs) return { ...swept, more: true };
  }
}

async function sweepTenants(tx: Tx): Promise<{ tenants: number; keys: number }> {
  const unused = sql`k.last_used_at is null and k.created_at < now() - make_interval(days => ${UNUSED_DAYS}::integer)`;
  const live = sql`k.revoked_at is null and (k.expires_at is null or k.expires_at > now())`;
  // Administrators' webhooks belong to a tenant that never had a key.
  const due = await tx.execute<{ id: string }>(sql`
    select t.id from ${tenants} t
    where t.proven_wallet is null and (
      exists (select from ${apiKeys} k where k.tenant_id = t.id and ${unused})
      or (
        exists (select from ${webhooks} w where w.tenant_id = t.id and w.active)
        and exists (select from ${apiKeys} k where k.tenant_id = t.id)
        and not exists (select from ${apiKeys} k where k.tenant_id = t.id and ${live})
      )
    )
    limit ${BATCH} for update of t skip locked`);
  const tenantIds = due.rows.map(({ id }) => id);
  if (tenantIds.length === 0) return { tenants: 0, keys: 0 };
  const removed = await tx.execute(sql`
    delete from ${apiKeys} k where k.tenant_id = any(${textArray(tenantIds)}) and ${unused}`);
  await stopOrphanedWebhooks(tx, tenantIds);
  await removeEmptyTenants(tx, tenantIds);
  return { tenants: tenantIds.length, keys: removed.rowCount ?? 0 };
}
