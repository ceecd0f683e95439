import { and, count, eq, isNull, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { webhooks } from '#drizzle/schema/events.ts';
import { lockTenant } from '#lib/accounts/api-keys/lock-tenant.ts';
import type { Tx } from '#lib/base/db.ts';
import { env } from '#lib/base/env.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import type { Ctx } from '#lib/ctx.ts';
import { API_VERSION } from '#lib/events/envelope.ts';
import type { registerWebhookBody } from '#lib/webhooks/contracts.ts';
import { hostOf } from '#lib/webhooks/delivery/target-policy.ts';
import { toWebhook, webhookColumns } from '#lib/webhooks/rows.ts';
import type { Webhook } from '#lib/webhooks/schemas.ts';
import { newSecret, sealSecret } from '#lib/webhooks/secret.ts';
import { type ActingTenant, actingTenant } from './acting-tenant.ts';
import { auditWebhook } from './audit.ts';
import { permittedEvents, requirePermittedEvents } from './permitted-events.ts';
import { requireKnownProject } from './require-known-project.ts';
import { requirePermittedUrl } from './require-permitted-url.ts';
import { requireRoomAtHost } from './require-room-at-host.ts';

/** Webhooks of a tenant whose wallet proved nothing (docs/webhooks.md#limits). */
const UNPROVEN_LIMIT = 3;

/**
 * Locks the tenant and checks that it may have one more webhook, and its host too. The lock comes first and the count is a
 * statement of its own, so it sees what whoever held the lock before has written: two registrations at once cannot both be
 * the third.
 */
async function requireRoom(tx: Tx, acting: ActingTenant, webhook: { id: string; host: string }): Promise<void> {
  const { limited } = await lockTenant(tx, acting);
  // The administrators' own are theirs to bound.
  if (acting.keyId === null) return;
  const most = limited ? UNPROVEN_LIMIT : env().WEBHOOKS_PER_TENANT;
  const [owned] = await tx
    .select({ webhooks: count() })
    .from(webhooks)
    .where(and(eq(webhooks.tenantId, acting.tenantId), isNull(webhooks.deletedAt)));
  if ((owned?.webhooks ?? 0) >= most) {
    const owner = limited ? 'A key without a wallet proof' : 'A wallet';
    throw new PlatformError('limit_reached', `${owner} may have ${most} webhooks. Delete one first.`);
  }
  if (limited) await requireRoomAtHost(tx, webhook.host, webhook.id);
}

/**
 * Registers a webhook for the acting tenant and gives its signing secret, this once. Without `events` it receives all that
 * the tenant may. Throws `invalid_request` for a URL the target policy refuses, an event type of administrators and
 * a project that nobody has launched, `limit_reached` at the tenant's or the host's limit.
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
  const registered = await ctx.db.transaction(async (tx) => {
    await requireRoom(tx, acting, { id, host });
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
        sealedSecret: sealSecret(secret, id, ctx.random),
        apiVersion: API_VERSION,
      })
      .returning(webhookColumns);
    if (row === undefined) throw new Error('The insert of a webhook returned no row');
    const webhook = toWebhook(row);
    await auditWebhook(tx, ctx, 'webhook.register', webhook);
    return webhook;
  });
  return { ...registered, secret };
}
