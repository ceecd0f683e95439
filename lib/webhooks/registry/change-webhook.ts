import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import { webhooks } from '#drizzle/schema/events.ts';
import { lockTenant } from '#lib/accounts/tenants/tenant.ts';
import { toIso } from '#lib/base/clock.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { updateWebhookBody } from '#lib/webhooks/contracts.ts';
import { storedHeaders } from '#lib/webhooks/custom-headers.ts';
import { cancelNewestOf } from '#lib/webhooks/delivery/cancel.ts';
import { hostOf } from '#lib/webhooks/delivery/target-policy.ts';
import { endReplaysOf } from '#lib/webhooks/replay/replays.ts';
import { toWebhook, webhookColumns } from '#lib/webhooks/rows.ts';
import type { Webhook } from '#lib/webhooks/schemas.ts';
import { actingTenant, auditWebhook, ownWebhook, webhookNotFound } from './acting-tenant.ts';
import {
  requireKnownProject,
  requirePermittedEvents,
  requirePermittedUrl,
  requireRoomAtHost,
} from './check-webhook.ts';

/**
 * Switching a webhook on begins anew, and what failed or succeeded at one URL says nothing about another. Saying again what holds already
 * changes nothing: who fails would else be taken for new.
 */
const followsFrom = ({ active, url }: z.output<typeof updateWebhookBody>) => ({
  failingSince: sql`case when (${active ?? false}::boolean and not ${webhooks.active})
    or ${webhooks.url} <> ${url ?? webhooks.url} then null else ${webhooks.failingSince} end`,
  backlogFull: sql`${webhooks.backlogFull} and ${webhooks.active} and ${webhooks.url} = ${url ?? webhooks.url}`,
  firstSuccessAt: sql`case when ${webhooks.url} = ${url ?? webhooks.url} then ${webhooks.firstSuccessAt} end`,
  ...(active === true ? { inactiveSince: null, disabledAt: null, disabledReason: null } : {}),
  ...(active === false
    ? { inactiveSince: sql`case when ${webhooks.active} then now() else ${webhooks.inactiveSince} end` }
    : {}),
});

/**
 * Changes the fields that are given. A new URL holds from the next attempt on, also for retries that wait; what comes
 * due while the webhook is inactive is cancelled, and switching it off ends a running replay; `active: true` also takes back that the platform switched it off. Throws `invalid_request` for a refused URL or an event type of
 * administrators, `webhook_not_found`, `limit_reached` when the new URL's host has as many webhooks as it may.
 */
export async function updateWebhook(ctx: Ctx, id: string, body: z.output<typeof updateWebhookBody>): Promise<Webhook> {
  if (body.url !== undefined) requirePermittedUrl(body.url);
  if (body.events !== undefined) requirePermittedEvents(ctx, body.events, 'events');
  await requireKnownProject(ctx, body.project_id);
  const acting = actingTenant(ctx);
  const { project_id: projectId, min_amount_xrp: minAmountDrops, headers, rate_limit: rateLimit, ...changes } = body;
  const host = body.url === undefined ? undefined : hostOf(body.url);
  return ctx.db.transaction(async (tx) => {
    const { limited } = await lockTenant(tx, acting);
    if (limited && host !== undefined) await requireRoomAtHost(tx, host, id);
    const [before] = await tx.select(webhookColumns).from(webhooks).where(ownWebhook(ctx, id));
    const [row] = await tx
      .update(webhooks)
      .set({
        ...changes,
        ...followsFrom(body),
        ...(headers === undefined ? {} : storedHeaders(id, headers, ctx.random)),
        ...(rateLimit === undefined ? {} : { rateLimit, pacedUntil: null }),
        projectId,
        minAmountDrops,
        host,
        updatedAt: sql`now()`,
      })
      .where(ownWebhook(ctx, id))
      .returning(webhookColumns);
    if (row === undefined || before === undefined) throw webhookNotFound();
    if (body.active === false) await endReplaysOf(tx, id);
    const webhook = toWebhook(row);
    await auditWebhook(tx, ctx, 'webhook.update', webhook, toWebhook(before));
    return webhook;
  });
}

/**
 * Deletes a webhook and cancels what still waits for it, a running replay too: of a long backlog the newest at once, and the
 * rest by the sweep. The row stays, because its deliveries name it, but nobody sees it again. Throws `webhook_not_found`, also the second time.
 */
export async function deleteWebhook(ctx: Ctx, id: string): Promise<{ id: string; deleted_at: string }> {
  return ctx.db.transaction(async (tx) => {
    const [before] = await tx.select(webhookColumns).from(webhooks).where(ownWebhook(ctx, id));
    const [row] = await tx
      .update(webhooks)
      .set({ deletedAt: sql`now()`, active: false, updatedAt: sql`now()` })
      .where(ownWebhook(ctx, id))
      .returning({ deletedAt: webhooks.deletedAt });
    if (row?.deletedAt == null || before === undefined) throw webhookNotFound();
    await endReplaysOf(tx, id);
    await cancelNewestOf(tx, id);
    await auditWebhook(tx, ctx, 'webhook.delete', { id }, toWebhook(before));
    return { id, deleted_at: toIso(row.deletedAt) };
  });
}
