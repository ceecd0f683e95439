import { sql } from 'drizzle-orm';
import { deliveries, deliveryAttempts } from '#drizzle/schema/events.ts';
import { appendAudit } from '#lib/audit.ts';
import { toIso } from '#lib/base/clock.ts';
import type { Tx } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import { erasePayload } from '#lib/events/append.ts';
import { cancelErased } from '#lib/webhooks/delivery/cancel.ts';

/** What an erasure came to. */
interface Erased {
  event_id: string;
  erased_at: string;
  deliveries_cancelled: number;
  attempts_removed: number;
}

/**
 * Removes the payload of one event for good, from the outbox, the log of every webhook and the list of events, and with it all
 * that receivers answered to it; what waits to be sent is cancelled. The event, its deliveries and the audit entry stay. An attempt
 * under way ends by itself, and nothing that its receiver answers is kept. Throws `not_found`, and `gone` when the payload was
 * removed before.
 */
export const eraseEvent = (ctx: Ctx, id: string, reason: string): Promise<Erased> =>
  ctx.db.transaction(async (tx) => {
    const erased = await erasePayload(tx, id);
    if (erased === null) throw new PlatformError('not_found', 'There is no such event.');
    if (erased === 'gone') throw new PlatformError('gone', 'The payload of this event was removed before.');
    // Statements of their own, after the event is locked: they see every delivery, and none is added later.
    const cancelled = await cancelErased(tx, id);
    const attempts = await deleteAttempts(tx, id);
    await appendAudit(tx, ctx, {
      action: 'event.erase',
      subject: id,
      reason,
      after: { event_type: erased.type, deliveries_cancelled: cancelled, attempts_removed: attempts },
    });
    return {
      event_id: id,
      erased_at: toIso(erased.erasedAt),
      deliveries_cancelled: cancelled,
      attempts_removed: attempts,
    };
  });

async function deleteAttempts(tx: Tx, eventId: string): Promise<number> {
  const result = await tx.execute(sql`
    delete from ${deliveryAttempts} a using ${deliveries} d where d.event_id = ${eventId} and a.delivery_id = d.id`);
  return result.rowCount ?? 0;
}
