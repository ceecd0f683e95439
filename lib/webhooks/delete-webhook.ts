import { sql } from 'drizzle-orm';
import { webhooks } from '#drizzle/schema/events.ts';
import type { Ctx } from '#lib/ctx.ts';
import { toIso } from '#lib/platform/clock.ts';
import { cancelAllOf } from './cancel.ts';
import { actingKey, ownWebhook, webhookNotFound } from './rows.ts';

/**
 * Deletes a webhook and cancels what still waits for it. The row stays, because its deliveries name it, but nobody
 * sees it again. Throws `webhook_not_found`, also the second time.
 */
export async function deleteWebhook(ctx: Ctx, id: string): Promise<{ id: string; deleted_at: string }> {
  return ctx.db.transaction(async (tx) => {
    const [row] = await tx
      .update(webhooks)
      .set({ deletedAt: sql`now()`, active: false, updatedAt: sql`now()` })
      .where(ownWebhook(actingKey(ctx).tenantId, id))
      .returning({ id: webhooks.id, deletedAt: webhooks.deletedAt });
    if (row?.deletedAt == null) throw webhookNotFound();
    await cancelAllOf(tx, id);
    return { id, deleted_at: toIso(row.deletedAt) };
  });
}
