import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import { webhooks } from '#drizzle/schema/events.ts';
import { decodeCursor, toPage } from '#lib/base/cursor.ts';
import type { Ctx } from '#lib/ctx.ts';
import { toWebhook, webhookColumns } from '#lib/webhooks/rows.ts';
import type { Webhook } from '#lib/webhooks/schemas.ts';
import { actingTenant, ownWebhook, webhookNotFound } from './acting-tenant.ts';

/** One of the tenant's webhooks. Throws `webhook_not_found`. */
export async function getWebhook(ctx: Ctx, id: string): Promise<Webhook> {
  const [row] = await ctx.db.select(webhookColumns).from(webhooks).where(ownWebhook(ctx, id));
  if (row === undefined) throw webhookNotFound();
  return toWebhook(row);
}

/** The tenant's webhooks, the newest first. */
export async function listWebhooks(
  ctx: Ctx,
  page: { cursor?: string | undefined; limit: number },
): Promise<{ webhooks: Webhook[]; next_cursor: string | null }> {
  const after = decodeCursor(page.cursor, 'wh');
  const rows = await ctx.db
    .select(webhookColumns)
    .from(webhooks)
    .where(
      and(
        eq(webhooks.tenantId, actingTenant(ctx).tenantId),
        isNull(webhooks.deletedAt),
        // The place is read from the row itself: a cursor's milliseconds would step over rows of the same millisecond.
        after === null
          ? undefined
          : sql`(${webhooks.createdAt}, ${webhooks.id}) < (select created_at, id from webhooks where id = ${after.id})`,
      ),
    )
    .orderBy(desc(webhooks.createdAt), desc(webhooks.id))
    .limit(page.limit + 1);
  const { rows: shown, next } = toPage(rows, page.limit, (row) => ({ at: row.createdAt, id: row.id }));
  return { webhooks: shown.map(toWebhook), next_cursor: next };
}
