import { and, desc, eq, gte, lt, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { deliveries, events, webhooks } from '#drizzle/schema/events.ts';
import { decodeCursor, toPage } from '#lib/base/cursor.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { listDeliveriesQuery } from '#lib/webhooks/contracts.ts';
import { actingTenant } from '#lib/webhooks/registry/acting-tenant.ts';
import { deliveryColumns, ownWebhook, requireOwnWebhook, toDeliveryRecord } from '#lib/webhooks/rows.ts';
import type { DeliveryRecord } from '#lib/webhooks/schemas.ts';

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
  const { tenantId } = actingTenant(ctx);
  const rows = await ctx.db
    .select(deliveryColumns)
    .from(deliveries)
    .innerJoin(events, eq(events.id, deliveries.eventId))
    .innerJoin(webhooks, eq(webhooks.id, deliveries.webhookId))
    .where(
      and(
        ownWebhook(tenantId, webhookId),
        eq(deliveries.webhookId, webhookId),
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
  if (rows.length === 0) await requireOwnWebhook(ctx.db, tenantId, webhookId);
  const { rows: shown, next } = toPage(rows, query.limit, (row) => ({ at: row.createdAt, id: row.id }));
  return { deliveries: shown.map(toDeliveryRecord), next_cursor: next };
}
