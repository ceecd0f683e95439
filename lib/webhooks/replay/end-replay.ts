import { and, eq, type SQL, sql } from 'drizzle-orm';
import { replays } from '#drizzle/schema/events.ts';
import type { Tx } from '#lib/base/db.ts';

async function endWhere(tx: Tx, condition: SQL): Promise<boolean> {
  const ended = await tx
    .update(replays)
    .set({ status: 'cancelled', endedAt: sql`now()` })
    .where(and(eq(replays.status, 'running'), condition))
    .returning({ id: replays.id });
  return ended.length > 0;
}

/** Ends a replay of a webhook; false when it is not running. */
export const endReplay = (tx: Tx, webhookId: string, id: string): Promise<boolean> =>
  endWhere(tx, sql`${replays.webhookId} = ${webhookId} and ${replays.id} = ${id}`);

/**
 * Ends whatever replay of a webhook is running. The caller has changed the webhook in this transaction and takes deliveries
 * afterwards: webhook, replay, deliveries is the order in which all lock.
 */
export const endReplaysOf = (tx: Tx, webhookId: string): Promise<boolean> =>
  endWhere(tx, sql`${replays.webhookId} = ${webhookId}`);
