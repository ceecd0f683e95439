import { sql } from 'drizzle-orm';
import { apiKeys, tenants } from '#drizzle/schema/access.ts';
import { webhooks } from '#drizzle/schema/events.ts';
import { textArray } from '#lib/base/bulk.ts';
import type { Tx } from '#lib/base/db.ts';
import { cancelNewestOfStopped } from '#lib/webhooks/delivery/cancel.ts';

/**
 * Stops the webhooks of those of the given tenants that proved no wallet and have no live key left, and cancels what waits
 * for them: nobody can manage them any more (docs/access.md#revoke). Of a long backlog the newest go at once; nothing
 * is sent to an inactive webhook, and the sweep of deliveries cancels the rest. The tenants must be locked, so that
 * none gets a key meanwhile.
 */
export async function stopOrphanedWebhooks(tx: Tx, tenantIds: readonly string[]): Promise<void> {
  const stopped = await tx.execute<{ id: string }>(sql`
    with orphaned as (
      select w.id from ${webhooks} w join ${tenants} t on t.id = w.tenant_id
      where w.active and t.id = any(${textArray(tenantIds)}) and t.proven_wallet is null
        and not exists (
          select from ${apiKeys} k
          where k.tenant_id = t.id and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
        )
      order by w.id for no key update of w
    )
    update ${webhooks} w set active = false, updated_at = now() from orphaned where w.id = orphaned.id
    returning w.id`);
  if (stopped.rows.length === 0) return;
  await cancelNewestOfStopped(
    tx,
    stopped.rows.map(({ id }) => id),
  );
}
