import { and, asc, desc, eq, gte, lt, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { deliveries, deliveryAttempts, events, webhooks } from '#drizzle/schema/events.ts';
import { toIso } from '#lib/base/clock.ts';
import { decodeCursor, toPage } from '#lib/base/cursor.ts';
import type { Db } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import { leaseSeconds } from '#lib/webhooks/delivery/claim.ts';
import { eventsWithinLimit, ownWebhook, requireOwnWebhook } from '#lib/webhooks/registry/acting-tenant.ts';
import { deliveryColumns, toDeliveryRecord } from '#lib/webhooks/rows.ts';
import type { DeliveryRecord } from '#lib/webhooks/schemas.ts';
import type { DeliveryDetail, listDeliveriesQuery } from './contracts.ts';

/**
 * The delivery log of one of the tenant's webhooks, the newest first. A page goes on after the last row of the one before, so
 * what was there when the first page was read is met once, whatever is written or ends meanwhile. Throws `webhook_not_found`.
 */
export async function listDeliveries(
  ctx: Ctx,
  webhookId: string,
  query: z.output<typeof listDeliveriesQuery>,
): Promise<{ deliveries: DeliveryRecord[]; next_cursor: string | null }> {
  const after = decodeCursor(query.cursor, 'del');
  const rows = await ctx.db
    .select(deliveryColumns)
    .from(deliveries)
    .innerJoin(events, eq(events.id, deliveries.eventId))
    .innerJoin(webhooks, eq(webhooks.id, deliveries.webhookId))
    .where(
      and(
        ownWebhook(ctx, webhookId),
        eq(deliveries.webhookId, webhookId),
        eventsWithinLimit(ctx),
        query.status === undefined ? undefined : eq(deliveries.status, query.status),
        query.event_type === undefined ? undefined : eq(events.type, query.event_type),
        query.from === undefined ? undefined : gte(deliveries.createdAt, query.from),
        query.to === undefined ? undefined : lt(deliveries.createdAt, query.to),
        // Deliveries written together share one creation time, finer than a cursor's milliseconds: read it from the row.
        after === null
          ? undefined
          : sql`(${deliveries.createdAt}, ${deliveries.id}) < (select created_at, id from deliveries
              where id = ${after.id} and webhook_id = ${webhookId})`,
      ),
    )
    .orderBy(desc(deliveries.createdAt), desc(deliveries.id))
    .limit(query.limit + 1);
  // Rows show by themselves that the webhook is the tenant's: receivers read this log often, and one statement does.
  if (rows.length === 0) await requireOwnWebhook(ctx, webhookId);
  const { rows: shown, next } = toPage(rows, query.limit, (row) => ({ at: row.createdAt, id: row.id }));
  return { deliveries: shown.map(toDeliveryRecord), next_cursor: next };
}

/**
 * One delivery of one of the tenant's webhooks, with the bytes that were sent and every attempt. Throws `webhook_not_found`,
 * and `not_found` for a delivery that is not this webhook's.
 */
export async function getDelivery(ctx: Ctx, webhookId: string, id: string): Promise<DeliveryDetail> {
  await requireOwnWebhook(ctx, webhookId);
  const delivery = await findDelivery(ctx, ctx.db, webhookId, id);
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

/** A delivery of the webhook that the caller may see, with its event. Whose webhook it is was checked before. Throws `not_found`. */
export async function findDelivery(ctx: Ctx, db: Db, webhookId: string, id: string) {
  const [row] = await db
    .select({
      ...deliveryColumns,
      body: events.body,
      isTest: events.isTest,
      eventSequence: deliveries.eventSequence,
      leasedUntil: deliveries.leasedUntil,
    })
    .from(deliveries)
    .innerJoin(events, eq(events.id, deliveries.eventId))
    .where(and(eq(deliveries.id, id), eq(deliveries.webhookId, webhookId), eventsWithinLimit(ctx)));
  if (row === undefined) throw new PlatformError('not_found', 'This webhook has no such delivery.');
  return row;
}

/** An attempt has its row once it has ended; what is under way stands on the delivery. */
const underWay = (attempt: number, leasedUntil: Date): DeliveryDetail['attempt_log'][number] => ({
  number: attempt,
  started_at: toIso(new Date(leasedUntil.getTime() - leaseSeconds() * 1_000)),
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
