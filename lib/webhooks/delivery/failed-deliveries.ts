import type { Tx } from '#lib/base/db.ts';
import type { Ctx } from '#lib/ctx.ts';
import { appendEvents } from '#lib/events/append.ts';
import type { EventType } from '#lib/events/catalogue.ts';

/** The event that tells of a delivery of which no attempt is left. */
export const DELIVERY_FAILED = 'system.delivery_failed' satisfies EventType;

/** A delivery as its last attempt left it. */
export type EndedDelivery = {
  deliveryId: string;
  webhookId: string;
  status: string;
  eventId: string;
  eventType: string;
  isTest: boolean;
  /** Number of the attempt that would come next. */
  nextAttempt: number;
  responseCode: number | null;
};

/** Whether its failure is reported: a test's sender has the answer already, and a report that fails too makes no other. */
export const isReported = ({ status, eventType, isTest }: EndedDelivery): boolean =>
  status === 'failed' && !isTest && eventType !== DELIVERY_FAILED;

/** Reports the failed ones of these to their tenants, in the transaction that ends them. The caller wakes the dispatch. */
export function reportFailed(tx: Tx, ctx: Ctx, ended: readonly EndedDelivery[]): Promise<number> {
  const occurredAt = new Date(ctx.clock.nowMs());
  return appendEvents(
    tx,
    ended.filter(isReported).map(({ deliveryId, webhookId, eventId, eventType, nextAttempt, responseCode }) => ({
      type: DELIVERY_FAILED,
      subject: deliveryId,
      projectId: null,
      occurredAt,
      data: {
        webhook_id: webhookId,
        delivery_id: deliveryId,
        event_id: eventId,
        event_type: eventType,
        attempts: nextAttempt - 1,
        response_code: responseCode,
        message: 'No attempt is left. Repair the receiver, then resend the delivery or replay what failed.',
        failed_at: occurredAt.toISOString(),
      },
    })),
  );
}
