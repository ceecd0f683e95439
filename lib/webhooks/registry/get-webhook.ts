import { webhooks } from '#drizzle/schema/events.ts';
import type { Ctx } from '#lib/ctx.ts';
import { ownWebhook, toWebhook, webhookColumns, webhookNotFound } from '#lib/webhooks/rows.ts';
import type { Webhook } from '#lib/webhooks/schemas.ts';
import { actingTenant } from './acting-tenant.ts';

/** One of the tenant's webhooks. Throws `webhook_not_found`. */
export async function getWebhook(ctx: Ctx, id: string): Promise<Webhook> {
  const [row] = await ctx.db
    .select(webhookColumns)
    .from(webhooks)
    .where(ownWebhook(actingTenant(ctx).tenantId, id));
  if (row === undefined) throw webhookNotFound();
  return toWebhook(row);
}
