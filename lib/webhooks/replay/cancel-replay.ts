import { and, eq, type SQL, sql } from 'drizzle-orm';
import { replays } from '#drizzle/schema/events.ts';
import type { Tx } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import { cancelAllOfReplay } from '#lib/webhooks/delivery/cancel.ts';
import { auditWebhook, requireOwnWebhook } from '#lib/webhooks/registry/acting-tenant.ts';
import type { Replay } from './contracts.ts';
import { findReplay } from './read-replays.ts';

/**
 * Ends a replay that is running: nothing more is written, and what it wrote and has not ended is cancelled. Throws
 * `webhook_not_found`, `not_found`, and `conflict` when it has ended already.
 */
export async function cancelReplay(ctx: Ctx, webhookId: string, id: string): Promise<Replay> {
  await requireOwnWebhook(ctx, webhookId);
  return ctx.db.transaction(async (tx) => {
    if (!(await endWhere(tx, and(eq(replays.webhookId, webhookId), eq(replays.id, id))))) {
      const { status } = await findReplay(tx, webhookId, id);
      throw new PlatformError('conflict', `This replay is ${status} already.`);
    }
    await cancelAllOfReplay(tx, id);
    await auditWebhook(tx, ctx, 'webhook.cancel_replay', { id: webhookId });
    return findReplay(tx, webhookId, id);
  });
}

/**
 * Ends the replay of a webhook that runs, if any. The caller has changed the webhook in this transaction and takes deliveries
 * afterwards: webhook, replay, deliveries is the order in which all lock.
 */
export const endReplaysOf = (tx: Tx, webhookId: string): Promise<boolean> =>
  endWhere(tx, eq(replays.webhookId, webhookId));

/** Gives whether one was running. */
async function endWhere(tx: Tx, condition: SQL | undefined): Promise<boolean> {
  const ended = await tx
    .update(replays)
    .set({ status: 'cancelled', endedAt: sql`now()` })
    .where(and(eq(replays.status, 'running'), condition))
    .returning({ id: replays.id });
  return ended.length > 0;
}
