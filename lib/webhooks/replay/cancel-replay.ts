import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import { cancelAllOfReplay } from '#lib/webhooks/delivery/cancel.ts';
import { actingTenant } from '#lib/webhooks/registry/acting-tenant.ts';
import { auditWebhook } from '#lib/webhooks/registry/audit.ts';
import { requireOwnWebhook } from '#lib/webhooks/rows.ts';
import type { Replay } from './contracts.ts';
import { endReplay } from './end-replay.ts';
import { findReplay } from './get-replay.ts';

/**
 * Ends a replay that is running: nothing more is written, and what it wrote and has not ended is cancelled. Throws
 * `webhook_not_found`, `not_found`, and `conflict` when it has ended already.
 */
export async function cancelReplay(ctx: Ctx, webhookId: string, id: string): Promise<Replay> {
  await requireOwnWebhook(ctx.db, actingTenant(ctx).tenantId, webhookId);
  return ctx.db.transaction(async (tx) => {
    if (!(await endReplay(tx, webhookId, id))) {
      const { status } = await findReplay(tx, webhookId, id);
      throw new PlatformError('conflict', `This replay is ${status} already.`);
    }
    await cancelAllOfReplay(tx, id);
    await auditWebhook(tx, ctx, 'webhook.cancel_replay', { id: webhookId });
    return findReplay(tx, webhookId, id);
  });
}
