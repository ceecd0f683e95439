import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import { webhooks } from '#drizzle/schema/events.ts';
import type { Ctx } from '#lib/ctx.ts';
import { actingTenant } from './acting-tenant.ts';
import { auditWebhook } from './audit.ts';
import type { updateWebhookBody } from './contracts.ts';
import { lockTenant } from './lock-tenant.ts';
import { requirePermittedEvents } from './permitted-events.ts';
import { requirePermittedUrl } from './require-permitted-url.ts';
import { requireRoomAtHost } from './require-room-at-host.ts';
import { ownWebhook, toWebhook, webhookColumns, webhookNotFound } from './rows.ts';
import type { Webhook } from './schemas.ts';
import { hostOf } from './target-policy.ts';

/**
 * Changes the fields that are given. A new URL holds from the next attempt on, also for retries that wait; what comes
 * due while the webhook is inactive is cancelled. Throws `invalid_request` for a refused URL or an event type of
 * administrators, `webhook_not_found`, `limit_reached` when the new URL's host has as many webhooks as it may.
 */
export async function updateWebhook(ctx: Ctx, id: string, body: z.output<typeof updateWebhookBody>): Promise<Webhook> {
  if (body.url !== undefined) requirePermittedUrl(body.url);
  if (body.events !== undefined) requirePermittedEvents(ctx, body.events, 'body.events');
  const acting = actingTenant(ctx);
  const host = body.url === undefined ? undefined : hostOf(body.url);
  return ctx.db.transaction(async (tx) => {
    const { limited } = await lockTenant(tx, acting);
    if (limited && host !== undefined) await requireRoomAtHost(tx, host, id);
    const [row] = await tx
      .update(webhooks)
      .set({ ...body, host, updatedAt: sql`now()` })
      .where(ownWebhook(acting.tenantId, id))
      .returning(webhookColumns);
    if (row === undefined) throw webhookNotFound();
    const webhook = toWebhook(row);
    await auditWebhook(tx, ctx, 'webhook.update', webhook);
    return webhook;
  });
}
