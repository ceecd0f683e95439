import { webhooks } from '#drizzle/schema/events.ts';
import type { Tx } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { ownWebhook, webhookNotFound } from '#lib/webhooks/rows.ts';

/**
 * Locks one of the tenant's webhooks until the transaction ends: it is not changed or deleted meanwhile, and what is sent
 * again to it is decided by one at a time. Throws `webhook_not_found`, and `conflict` while it is inactive.
 */
export async function lockActiveWebhook(tx: Tx, tenantId: string, id: string): Promise<void> {
  const [webhook] = await tx
    .select({ active: webhooks.active })
    .from(webhooks)
    .where(ownWebhook(tenantId, id))
    .for('no key update');
  if (webhook === undefined) throw webhookNotFound();
  if (webhook.active) return;
  throw new PlatformError('conflict', 'The webhook is inactive: set `active` to true with PATCH first.');
}
