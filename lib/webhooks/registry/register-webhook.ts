import { and, count, eq, isNull, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { webhooks } from '#drizzle/schema/events.ts';
import { lockTenant } from '#lib/accounts/tenants/tenant.ts';
import type { Tx } from '#lib/base/db.ts';
import { env } from '#lib/base/env.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { seal } from '#lib/base/secretbox.ts';
import type { Ctx } from '#lib/ctx.ts';
import { API_VERSION } from '#lib/events/envelope.ts';
import type { registerWebhookBody } from '#lib/webhooks/contracts.ts';
import { storedHeaders } from '#lib/webhooks/custom-headers.ts';
import { hostOf } from '#lib/webhooks/delivery/target-policy.ts';
import { toWebhook, webhookColumns } from '#lib/webhooks/rows.ts';
import type { Webhook } from '#lib/webhooks/schemas.ts';
import { newSecret } from '#lib/webhooks/secret.ts';
import { type ActingTenant, actingTenant, auditWebhook, projectLimit } from './acting-tenant.ts';
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
 * the tenant may, and from a session of the portal that is limited to a project, that project's. Throws `invalid_request` for a URL the target policy refuses, an event type of administrators and
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
        projectId: body.project_id ?? projectLimit(ctx),
        minAmountDrops: body.min_amount_xrp ?? null,
        statuses: body.statuses ?? null,
        active: body.active,
        inactiveSince: body.active ? null : sql`now()`,
        description: body.description,
        ...storedHeaders(id, body.headers ?? {}, ctx.random),
        rateLimit: body.rate_limit ?? null,
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
