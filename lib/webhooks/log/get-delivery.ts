import { asc, eq } from 'drizzle-orm';
import { deliveryAttempts } from '#drizzle/schema/events.ts';
import { toIso } from '#lib/base/clock.ts';
import type { Ctx } from '#lib/ctx.ts';
import { leaseMs } from '#lib/webhooks/delivery/claim.ts';
import { actingTenant } from '#lib/webhooks/registry/acting-tenant.ts';
import { requireOwnWebhook, toDeliveryRecord } from '#lib/webhooks/rows.ts';
import type { DeliveryDetail } from './contracts.ts';
import { findDelivery } from './find-delivery.ts';

/** An attempt has its row once it has ended; what is under way stands on the delivery. */
const underWay = (attempt: number, leasedUntil: Date): DeliveryDetail['attempt_log'][number] => ({
  number: attempt,
  started_at: toIso(new Date(leasedUntil.getTime() - leaseMs())),
  url: null,
  request_headers: null,
  response_code: null,
  response_headers: null,
  response_body: null,
  error_kind: null,
  duration_ms: null,
  retry_after: null,
});

const toAttempt = (row: typeof deliveryAttempts.$inferSelect): DeliveryDetail['attempt_log'][number] => ({
  number: row.attempt,
  started_at: toIso(row.startedAt),
  url: row.url,
  request_headers: row.requestHeaders,
  response_code: row.responseCode,
  response_headers: row.responseHeaders,
  response_body: row.responseBody,
  error_kind: row.errorKind,
  duration_ms: row.durationMs,
  retry_after: row.retryAfter,
});

/**
 * One delivery of one of the tenant's webhooks, with the bytes that were sent and every attempt. Throws `webhook_not_found`,
 * and `not_found` for a delivery that is not this webhook's.
 */
export async function getDelivery(ctx: Ctx, webhookId: string, id: string): Promise<DeliveryDetail> {
  await requireOwnWebhook(ctx.db, actingTenant(ctx).tenantId, webhookId);
  const delivery = await findDelivery(ctx.db, webhookId, id);
  const attempts = await ctx.db
    .select()
    .from(deliveryAttempts)
    .where(eq(deliveryAttempts.deliveryId, id))
    .orderBy(asc(deliveryAttempts.attempt), asc(deliveryAttempts.startedAt));
  const newest = attempts.at(-1);
  return {
    ...toDeliveryRecord(delivery),
    request: {
      method: 'POST',
      url: newest?.url ?? null,
      headers: newest?.requestHeaders ?? null,
      body: delivery.prunedAt === null ? delivery.body : null,
    },
    attempt_log:
      delivery.leasedUntil === null
        ? attempts.map(toAttempt)
        : [...attempts.map(toAttempt), underWay(delivery.nextAttempt, delivery.leasedUntil)],
  };
}
