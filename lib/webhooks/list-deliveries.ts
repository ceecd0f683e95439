import { and, desc, eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { deliveries, events } from '#drizzle/schema/events.ts';
import type { Ctx } from '#lib/ctx.ts';
import { decodeCursor, toPage } from '#lib/platform/cursor.ts';
import { actingTenant } from './acting-tenant.ts';
import type { listDeliveriesQuery } from './contracts.ts';
import { deliveryColumns, requireOwnWebhook, toDeliveryRecord } from './rows.ts';
import type { DeliveryRecord } from './schemas.ts';

/** The delivery log of one of the tenant's webhooks, the newest first. Throws `webhook_not_found`. */
export async function listDeliveries(
  ctx: Ctx,
  webhookId: string,
  query: z.output<typeof listDeliveriesQuery>,
): Promise<{ deliveries: DeliveryRecord[]; next_cursor: string | null }> {
  const after = decodeCursor(query.cursor, 'del');
  await requireOwnWebhook(ctx.db, actingTenant(ctx).tenantId, webhookId);
  const rows = await ctx.db
    .select(deliveryColumns)
    .from(deliveries)
    .innerJoin(events, eq(events.id, deliveries.eventId))
    .where(
      and(
        eq(deliveries.webhookId, webhookId),
        query.status === undefined ? undefined : eq(deliveries.status, query.status),
        // Deliveries written together share one creation time, finer than a cursor's milliseconds: read it from the row.
        after === null
          ? undefined
          : sql`(${deliveries.createdAt}, ${deliveries.id}) < (select created_at, id from deliveries where id = ${after.id})`,
      ),
    )
    .orderBy(desc(deliveries.createdAt), desc(deliveries.id))
    .limit(query.limit + 1);
  const { rows: shown, next } = toPage(rows, query.limit, (row) => ({ at: row.createdAt, id: row.id }));
  return { deliveries: shown.map(toDeliveryRecord), next_cursor: next };
}
