import { and, eq, isNull, notInArray, or } from 'drizzle-orm';
import { events, webhooks } from '#drizzle/schema/events.ts';
import { portalAuditEntries } from '#drizzle/schema/portal.ts';
import { appendAudit } from '#lib/audit.ts';
import type { Tx } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import type { Ctx } from '#lib/ctx.ts';
import { TENANT_EVENT_TYPES } from '#lib/events/catalogue.ts';
import { hostOf } from '#lib/webhooks/delivery/target-policy.ts';
import type { Webhook, WebhookAct } from '#lib/webhooks/schemas.ts';
import { nextSealedSecret, sealedSecretInForce } from '#lib/webhooks/secret.ts';

/** All administrators share one tenant: an alert concerns all of them. */
export const ADMINISTRATORS_TENANT = 'ten_administrators';

export interface ActingTenant {
  tenantId: string;
  /** The API key that acts, or that made the link of the session that acts; null for an administrator, and for a member, who only reads. */
  keyId: string | null;
}

/** On whose webhooks the caller acts. Webhook contracts admit no other actor. */
export function actingTenant({ actor }: Ctx): ActingTenant {
  if (actor.kind === 'administrator') return { tenantId: ADMINISTRATORS_TENANT, keyId: null };
  if (actor.kind === 'member') return { tenantId: actor.tenantId, keyId: null };
  if (actor.kind !== 'api_key' && actor.kind !== 'portal') {
    throw new Error(`Webhooks belong to tenants and administrators; the actor is ${actor.kind}`);
  }
  return actor;
}

/** Another tenant's webhook and one that is gone look the same: not found. */
export const webhookNotFound = () => new PlatformError('webhook_not_found', 'There is no such webhook.');

/** The project that a session of the portal is limited to; null for all others. */
export const projectLimit = ({ actor }: Ctx): string | null => (actor.kind === 'portal' ? actor.projectId : null);

/**
 * The events that the caller may see of a webhook's log, as a condition: within a limit those of its project, and of no
 * project what tells of no other webhook. The log of a webhook that took other projects before has more.
 */
export function eventsWithinLimit(ctx: Ctx) {
  const projectId = projectLimit(ctx);
  if (projectId === null) return undefined;
  return or(
    eq(events.projectId, projectId),
    and(isNull(events.projectId), notInArray(events.type, [...TENANT_EVENT_TYPES])),
  );
}

/** The rows that the caller acts on, as a condition: its tenant's own, within its limit, and not deleted. */
export function ownWebhooks(ctx: Ctx) {
  const projectId = projectLimit(ctx);
  return and(
    eq(webhooks.tenantId, actingTenant(ctx).tenantId),
    isNull(webhooks.deletedAt),
    projectId === null ? undefined : eq(webhooks.projectId, projectId),
  );
}

/** Which of them the caller means by an id. */
export const ownWebhook = (ctx: Ctx, id: string) => and(eq(webhooks.id, id), ownWebhooks(ctx));

/** Throws `webhook_not_found` unless the webhook is the caller's. */
export async function requireOwnWebhook(ctx: Ctx, id: string) {
  const [row] = await ctx.db
    .select({
      id: webhooks.id,
      url: webhooks.url,
      sealedSecret: sealedSecretInForce(),
      nextSealedSecret: nextSealedSecret(),
      sealedHeaders: webhooks.sealedHeaders,
    })
    .from(webhooks)
    .where(ownWebhook(ctx, id));
  if (row === undefined) throw webhookNotFound();
  return row;
}

/**
 * Locks one of the tenant's webhooks until the transaction ends: it is not changed or deleted meanwhile, and what is sent
 * again to it is decided by one at a time. Throws `webhook_not_found`, and `conflict` while it is inactive.
 */
export async function lockActiveWebhook(tx: Tx, ctx: Ctx, id: string): Promise<void> {
  const [webhook] = await tx
    .select({ active: webhooks.active })
    .from(webhooks)
    .where(ownWebhook(ctx, id))
    .for('no key update');
  if (webhook === undefined) throw webhookNotFound();
  if (webhook.active) return;
  throw new PlatformError('conflict', 'The webhook is inactive: set `active` to true with PATCH first.');
}

/** Of a webhook, what decides what is sent, where and how fast. */
const SHOWN = ['events', 'active', 'project_id', 'min_amount_xrp', 'statuses', 'header_names', 'rate_limit'] as const;
type Shown = Pick<Webhook, 'id'> & Partial<Pick<Webhook, 'url' | (typeof SHOWN)[number]>>;

const shown = (webhook: Shown) =>
  webhook.url === undefined
    ? null
    : { host: hostOf(webhook.url), ...Object.fromEntries(SHOWN.map((name) => [name, webhook[name]])) };

/**
 * Records what an administrator did to the administrators' webhooks, and for a link's maker what a session of the portal did;
 * what developers do with their own keys is their own affair. Of the address only the host is kept: the rest may hold a secret
 * of the receiver.
 */
export async function auditWebhook(
  tx: Tx,
  ctx: Ctx,
  action: WebhookAct,
  after: Shown,
  before: Shown | null = null,
): Promise<void> {
  if (ctx.actor.kind === 'portal') {
    await tx.insert(portalAuditEntries).values({
      id: newId('aud', ctx.random),
      linkId: ctx.actor.linkId,
      action,
      webhookId: after.id,
      requestId: ctx.requestId,
    });
  }
  if (ctx.actor.kind !== 'administrator') return;
  await appendAudit(tx, ctx, {
    action,
    subject: after.id,
    reason: 'administrators’ webhook',
    before: before === null ? null : shown(before),
    after: shown(after),
  });
}
