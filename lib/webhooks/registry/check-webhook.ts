import { and, count, eq, isNull, ne, sql } from 'drizzle-orm';
import { tenants } from '#drizzle/schema/access.ts';
import { webhooks } from '#drizzle/schema/events.ts';
import { projects } from '#drizzle/schema/sale.ts';
import type { Tx } from '#lib/base/db.ts';
import { fieldError, PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import {
  ADMINISTRATOR_EVENT_TYPES,
  EVENT_TYPES,
  type EventType,
  PUBLIC_EVENT_TYPES,
  TENANT_EVENT_TYPES,
} from '#lib/events/catalogue.ts';
import { isLoopbackHost, targetUrlFault } from '#lib/webhooks/delivery/target-policy.ts';
import { ADMINISTRATORS_TENANT, projectLimit } from './acting-tenant.ts';

/** Those that tell of all webhooks of the tenant, where the caller sees some of them. */
const beyondLimit = (ctx: Ctx): readonly EventType[] => (projectLimit(ctx) === null ? [] : TENANT_EVENT_TYPES);

/** The event types that the caller's webhooks may receive. */
export const permittedEvents = (ctx: Ctx): readonly EventType[] =>
  ctx.actor.kind === 'administrator'
    ? EVENT_TYPES
    : PUBLIC_EVENT_TYPES.filter((type) => !beyondLimit(ctx).includes(type));

/** Throws `invalid_request`, naming `field`, for a type that only administrators receive, or that a limited link does not reach. */
export function requirePermittedEvents(ctx: Ctx, types: readonly EventType[], field: string): void {
  const permitted = permittedEvents(ctx);
  if (types.every((type) => permitted.includes(type))) return;
  const beyond = types.filter((type) => beyondLimit(ctx).includes(type));
  if (beyond.length > 0) {
    throw fieldError(field, `${beyond.join(', ')} tells of webhooks that this link does not reach: leave it out`);
  }
  const names = ADMINISTRATOR_EVENT_TYPES.join(', ');
  throw fieldError(field, `${names} is for administrators: leave it out, or use an administrator's token`);
}

/** Throws `invalid_request` naming `url` when the target policy refuses the URL. */
export function requirePermittedUrl(url: string): void {
  const message = targetUrlFault(url);
  if (message !== null) throw fieldError('url', message);
}

/**
 * Throws `invalid_request` naming `field` unless the project is there; a draft is there for administrators only,
 * and looks to anybody else like one that is not. Throws `forbidden` for any but the one that the caller is limited to.
 */
export async function requireKnownProject(
  ctx: Ctx,
  projectId: string | null | undefined,
  field = 'project_id',
): Promise<void> {
  const { db, actor } = ctx;
  const limit = projectLimit(ctx);
  if (limit !== null && projectId !== undefined && projectId !== limit) {
    throw fieldError(field, 'must be the project that this link is limited to, or left out', { code: 'forbidden' });
  }
  if (projectId == null) return;
  const [project] = await db.select({ status: projects.status }).from(projects).where(eq(projects.id, projectId));
  if (project !== undefined && (project.status !== 'draft' || actor.kind === 'administrator')) return;
  const all = field === 'project_id' ? 'null means all' : 'leave it out for all';
  throw fieldError(field, `is no launched project: GET /api/projects lists them; ${all}`);
}

/** Webhooks at one host, over all tenants whose wallet proved nothing (docs/webhooks.md#limits). */
const UNPROVEN_LIMIT_PER_HOST = 10;

/**
 * Throws `limit_reached` naming `url` when tenants that proved nothing have as many webhooks at `host` as they may, not
 * counting `webhookId`. Holds the host until the transaction ends, so that two at once cannot both be the tenth.
 */
export async function requireRoomAtHost(tx: Tx, host: string, webhookId: string): Promise<void> {
  // Only the sandbox reaches itself: there is no stranger to be spared.
  if (isLoopbackHost(host)) return;
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`webhooks at ${host}`}, 0))`);
  const [there] = await tx
    .select({ webhooks: count() })
    .from(webhooks)
    .innerJoin(tenants, eq(tenants.id, webhooks.tenantId))
    .where(
      and(
        eq(webhooks.host, host),
        isNull(webhooks.deletedAt),
        isNull(tenants.provenWallet),
        ne(tenants.id, ADMINISTRATORS_TENANT),
        ne(webhooks.id, webhookId),
      ),
    );
  if ((there?.webhooks ?? 0) < UNPROVEN_LIMIT_PER_HOST) return;
  const message = `keys without a wallet proof have ${UNPROVEN_LIMIT_PER_HOST} webhooks at this host, all together: name another host, or use a key whose wallet is proven`;
  throw new PlatformError('limit_reached', `url: ${message}.`, { errors: [{ field: 'url', message }] });
}
