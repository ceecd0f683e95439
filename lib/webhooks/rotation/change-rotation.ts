import { eq } from 'drizzle-orm';
import { webhooks } from '#drizzle/schema/events.ts';
import { lockTenant } from '#lib/accounts/api-keys/lock-tenant.ts';
import type { Tx } from '#lib/base/db.ts';
import type { Ctx } from '#lib/ctx.ts';
import { actingTenant } from '#lib/webhooks/registry/acting-tenant.ts';
import { auditWebhook } from '#lib/webhooks/registry/audit.ts';
import { ownWebhook, toWebhook, webhookColumns, webhookNotFound } from '#lib/webhooks/rows.ts';
import type { Webhook } from '#lib/webhooks/schemas.ts';
import { commitDueRotations } from './commit-due.ts';

type WebhookRow = Parameters<typeof toWebhook>[0];

/**
 * Changes the rotation of one of the tenant's webhooks under the tenant's lock, so that a rotation, a commit and a
 * cancellation at once follow one another. A rotation whose time is over counts as committed. `change` gives the row that it
 * wrote, or undefined where the webhook's state does not allow it; `refusal` says that. Throws `webhook_not_found`.
 */
export async function changeRotation(
  ctx: Ctx,
  id: string,
  action: Parameters<typeof auditWebhook>[2],
  change: (tx: Tx) => Promise<WebhookRow | undefined>,
  refusal: (webhook: Webhook) => Error,
): Promise<Webhook> {
  const acting = actingTenant(ctx);
  return ctx.db.transaction(async (tx) => {
    await lockTenant(tx, acting);
    const [found] = await tx
      .select(webhookColumns)
      .from(webhooks)
      .where(ownWebhook(acting.tenantId, id))
      .for('no key update');
    if (found === undefined) throw webhookNotFound();
    await commitDueRotations(tx, eq(webhooks.id, id));
    const row = await change(tx);
    if (row === undefined) throw refusal(toWebhook(found));
    await auditWebhook(tx, ctx, action, { id });
    return toWebhook(row);
  });
}
