import { sql } from 'drizzle-orm';
import { webhooks } from '#drizzle/schema/events.ts';
import type { Ctx } from '#lib/ctx.ts';
import { toIso } from '#lib/platform/clock.ts';
import { actingTenant } from './acting-tenant.ts';
import { auditWebhook } from './audit.ts';
import { cancelAllOf } from './cancel.ts';
import { ownWebhook, webhookNotFound } from './rows.ts';

/**
 * Deletes a webhook and cancels what still waits for it. The row stays, because its deliveries name it, but nobody
 * sees it again. Throws `webhook_not_found`, also the second time.
 */
export async function deleteWebhook(ctx: Ctx, id: string): Promise<{ id: string; deleted_at: string }> {
  return ctx.db.transaction(async (tx) => {
    const [row] = await tx
      .update(webhooks)
      .set({ deletedAt: sql`now()`, active: false, updatedAt: sql`now()` })
      .where(ownWebhook(actingTenant(ctx).tenantId, id))
      .returning({ id: webhooks.id, deletedAt: webhooks.deletedAt });
    if (row?.deletedAt == null) throw webhookNotFound();
    await cancelAllOf(tx, id);
    await auditWebhook(tx, ctx, 'webhook.delete', { id });
    return { id, deleted_at: toIso(row.deletedAt) };
  });
}
