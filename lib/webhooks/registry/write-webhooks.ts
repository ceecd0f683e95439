import { and, count, eq, isNull, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { webhooks } from '#drizzle/schema/events.ts';
import { lockTenant } from '#lib/accounts/tenants/tenant.ts';
import { toIso } from '#lib/base/clock.ts';
import type { Tx } from '#lib/base/db.ts';
import { env } from '#lib/base/env.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { seal } from '#lib/base/secretbox.ts';
import type { Ctx } from '#lib/ctx.ts';
import { API_VERSION } from '#lib/events/envelope.ts';
import type { registerWebhookBody, updateWebhookBody } from '#lib/webhooks/contracts.ts';
import { cancelNewestOf } from '#lib/webhooks/delivery/cancel.ts';
import { hostOf } from '#lib/webhooks/delivery/target-policy.ts';
import { endReplaysOf } from '#lib/webhooks/replay/replays.ts';
import { toWebhook, webhookColumns } from '#lib/webhooks/rows.ts';
import type { Webhook } from '#lib/webhooks/schemas.ts';
import { newSecret } from '#lib/webhooks/secret.ts';
import { type ActingTenant, actingTenant, auditWebhook, ownWebhook, webhookNotFound } from './acting-tenant.ts';
import {
  permittedEvents,
  requireKnownProject,
  requirePermittedEvents,
  requirePermittedUrl,
  requireRoomAtHost,
} from './check-webhook.ts';

/** Webhooks of a tenant whose wallet proved nothing (docs/webhooks.md#limits). */
const UNPROVEN_LIMIT = 3;

const limitReached = (owner: string, most: number, or = '') =>
  new PlatformError('limit_reached', `${owner} may have ${most} webhooks. Delete one first${or}.`);

/**
 * Locks the tenant and checks that it may have one more webhook, and its host too. The lock comes first and the count is a
 * statement of its own, so it sees what the holder of the lock before has written: two registrations at once cannot both be
 * the third. Gives the wallet when it depends on whether that has an account on the ledger, and `isFunded` does not say.
 */
async function requireRoom(
  tx: Tx,
  acting: ActingTenant,
  webhook: { id: string; host: string },
  isFunded: boolean | undefined,
): Promise<{ unknownWallet: string | null }> {
  const { limited, provenWallet } = await lockTenant(tx, acting);
  // The administrators' own are theirs to bound.
  if (acting.keyId === null) return { unknownWallet: null };
  const [owned] = await tx
    .select({ webhooks: count() })
    .from(webhooks)
    .where(and(eq(webhooks.tenantId, acting.tenantId), isNull(webhooks.deletedAt)));
  const has = owned?.webhooks ?? 0;
  if (limited) {
    if (has >= UNPROVEN_LIMIT) throw limitReached('A key without a wallet proof', UNPROVEN_LIMIT);
    await requireRoomAtHost(tx, webhook.host, webhook.id);
    return { unknownWallet: null };
  }
  const { WEBHOOKS_PER_TENANT: most, WEBHOOKS_PER_UNFUNDED_WALLET: mostOfUnfunded } = env();
  if (has >= most) throw limitReached('A wallet', most);
  if (has < mostOfUnfunded || isFunded === true) return { unknownWallet: null };
  if (isFunded === false) {
    throw limitReached('A wallet without an account on the ledger', mostOfUnfunded, ', or fund the wallet');
  }
  return { unknownWallet: provenWallet };
}

/**
 * Registers a webhook for the acting tenant and gives its signing secret, this once. Without `events` it receives all that
 * the tenant may. Throws `invalid_request` for a URL the target policy refuses, an event type of administrators and
 * a project that nobody has launched, `limit_reached` at the tenant's or the host's limit, `ledger_unavailable` when the limit
 * depends on the ledger and that does not answer.
 */
export async function registerWebhook(
  ctx: Ctx,
  body: z.output<typeof registerWebhookBody>,
): Promise<Webhook & { secret: string }> {
  requirePermittedUrl(body.url);
  const events = body.events ?? [...permittedEvents(ctx)];
  requirePermittedEvents(ctx, events, 'events');
  await requireKnownProject(ctx, body.project_id);
  const acting = actingTenant(ctx);
  const id = newId('wh', ctx.random);
  const host = hostOf(body.url);
  const secret = newSecret(ctx.random);
  const insert = async (tx: Tx, isFunded?: boolean): Promise<Webhook | { unknownWallet: string }> => {
    const { unknownWallet } = await requireRoom(tx, acting, { id, host }, isFunded);
    if (unknownWallet !== null) return { unknownWallet };
    const [row] = await tx
      .insert(webhooks)
      .values({
        id,
        tenantId: acting.tenantId,
        url: body.url,
        host,
        events,
        projectId: body.project_id ?? null,
        active: body.active,
        inactiveSince: body.active ? null : sql`now()`,
        description: body.description,
        sealedSecret: seal(secret, id, ctx.random),
        apiVersion: API_VERSION,
      })
      .returning(webhookColumns);
    if (row === undefined) throw new Error('The insert of a webhook returned no row');
    const webhook = toWebhook(row);
    await auditWebhook(tx, ctx, 'webhook.register', webhook);
    return webhook;
  };
  const tried = await ctx.db.transaction((tx) => insert(tx));
  if (!('unknownWallet' in tried)) return { ...tried, secret };
  // Not in the transaction: no lock waits for the ledger.
  const isFunded = (await ctx.ledger.account(tried.unknownWallet)) !== null;
  const registered = await ctx.db.transaction((tx) => insert(tx, isFunded));
  if ('unknownWallet' in registered) throw new Error('Whether the wallet is funded was known');
  return { ...registered, secret };
}

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
  const { project_id: projectId, ...changes } = body;
  const host = body.url === undefined ? undefined : hostOf(body.url);
  return ctx.db.transaction(async (tx) => {
    const { limited } = await lockTenant(tx, acting);
    if (limited && host !== undefined) await requireRoomAtHost(tx, host, id);
    const [before] = await tx.select(webhookColumns).from(webhooks).where(ownWebhook(ctx, id));
    const [row] = await tx
      .update(webhooks)
      .set({ ...changes, ...followsFrom(body), projectId, host, updatedAt: sql`now()` })
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
