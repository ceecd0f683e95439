import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import { webhooks } from '#drizzle/schema/events.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { updateWebhookBody } from './contracts.ts';
import { requireLiveKey } from './live-key.ts';
import { requirePermittedUrl } from './require-permitted-url.ts';
import { actingKey, ownWebhook, toWebhook, webhookColumns, webhookNotFound } from './rows.ts';
import type { Webhook } from './schemas.ts';

/**
 * Changes the fields that are given. A new URL holds from the next attempt on, also for retries that wait; what comes
 * due while the webhook is inactive is cancelled. Throws `invalid_request` for a refused URL, `webhook_not_found`.
 */
export async function updateWebhook(ctx: Ctx, id: string, body: z.output<typeof updateWebhookBody>): Promise<Webhook> {
  if (body.url !== undefined) requirePermittedUrl(body.url);
  const { tenantId, keyId } = actingKey(ctx);
  const [row] = await ctx.db.transaction(async (tx) => {
    await requireLiveKey(tx, tenantId, keyId);
    return tx
      .update(webhooks)
      .set({ ...body, updatedAt: sql`now()` })
      .where(ownWebhook(tenantId, id))
      .returning(webhookColumns);
  });
  if (row === undefined) throw webhookNotFound();
  return toWebhook(row);
}
