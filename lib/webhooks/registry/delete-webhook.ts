import { sql } from 'drizzle-orm';
import { webhooks } from '#drizzle/schema/events.ts';
import { toIso } from '#lib/base/clock.ts';
import type { Ctx } from '#lib/ctx.ts';
import { cancelNewestOf } from '#lib/webhooks/delivery/cancel.ts';
import { endReplaysOf } from '#lib/webhooks/replay/cancel-replay.ts';
import { toWebhook, webhookColumns } from '#lib/webhooks/rows.ts';
import { auditWebhook, ownWebhook, webhookNotFound } from './acting-tenant.ts';

/**
 * Deletes a webhook and cancels what still waits for it, a running replay too: of a long backlog the newest at once, and the
 * rest by the sweep. The row stays, because its deliveries name it, but nobody sees it again. Throws `webhook_not_found`, also the second time.
 */
export async function deleteWebhook(ctx: Ctx, id: string): Promise<{ id: string; deleted_at: string }> {
  return ctx.db.transaction(async (tx) => {
    const [before] = await tx.select(webhookColumns).from(webhooks).where(ownWebhook(ctx, id));
    const [row] = await tx
      .update(webhooks)
      .set({ deletedAt: sql`now()`, active: false, updatedAt: sql`now()` })
      .where(ownWebhook(ctx, id))
      .returning({ deletedAt: webhooks.deletedAt });
    if (row?.deletedAt == null || before === undefined) throw webhookNotFound();
    await endReplaysOf(tx, id);
    await cancelNewestOf(tx, id);
    await auditWebhook(tx, ctx, 'webhook.delete', { id }, toWebhook(before));
    return { id, deleted_at: toIso(row.deletedAt) };
  });
}
