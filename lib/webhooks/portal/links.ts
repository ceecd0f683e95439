import { and, count, desc, eq, gt, isNull, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { apiKeys } from '#drizzle/schema/access.ts';
import { portalAuditEntries, portalLinks } from '#drizzle/schema/portal.ts';
import { lockTenant } from '#lib/accounts/tenants/tenant.ts';
import { toIso, toIsoOrNull } from '#lib/base/clock.ts';
import type { Scope } from '#lib/base/contract.ts';
import { decodeCursor, toPage } from '#lib/base/cursor.ts';
import { env } from '#lib/base/env.ts';
import { fieldError, PlatformError } from '#lib/base/errors.ts';
import { newId, randomBase62 } from '#lib/base/ids.ts';
import { sha256Hex } from '#lib/base/secretbox.ts';
import type { Actor, Ctx } from '#lib/ctx.ts';
import { requireKnownProject } from '#lib/webhooks/registry/check-webhook.ts';
import { WEBHOOK_ACTS } from '#lib/webhooks/schemas.ts';
import { type createPortalLinkBody, MOST_ENTRIES, OPEN_WITHIN_SECONDS, type PortalLink } from './contracts.ts';

/** Links of a tenant that are not over: each stands for a person at a page. */
const MOST_LIVE = 1_000;
/** More than 256 bits. */
const TOKEN_DIGITS = 43;

const WRITE: Scope = 'webhooks:write';

/** The key that asks. Its contracts admit no other actor: a session of the portal makes no further links. */
function askingKey({ actor }: Ctx): Extract<Actor, { kind: 'api_key' }> {
  if (actor.kind !== 'api_key') throw new Error(`Portal links belong to API keys; the actor is ${actor.kind}`);
  return actor;
}

const linkColumns = {
  id: portalLinks.id,
  keyId: portalLinks.keyId,
  scopes: portalLinks.scopes,
  projectId: portalLinks.projectId,
  frameOrigins: portalLinks.frameOrigins,
  createdAt: portalLinks.createdAt,
  opensUntil: portalLinks.opensUntil,
  openedAt: portalLinks.openedAt,
  expiresAt: portalLinks.expiresAt,
  endedAt: portalLinks.endedAt,
};

const toLink = (row: Pick<typeof portalLinks.$inferSelect, keyof typeof linkColumns>): PortalLink => ({
  id: row.id,
  key_id: row.keyId,
  read_only: !row.scopes.includes(WRITE),
  project_id: row.projectId,
  frame_origins: row.frameOrigins,
  created_at: toIso(row.createdAt),
  opens_until: toIso(row.opensUntil),
  opened_at: toIsoOrNull(row.openedAt),
  expires_at: toIso(row.expiresAt),
  ended_at: toIsoOrNull(row.endedAt),
});

/**
 * Makes a link to the portal, which its first visitor opens within five minutes, and gives it this once: its token stands
 * after the number sign, which browsers send to nobody. It is never wider than the key. Throws `forbidden` where the key
 * itself may not write and `read_only` is not asked for, `invalid_request` for a project that nobody has launched, and
 * `limit_reached`.
 */
export async function createPortalLink(
  ctx: Ctx,
  body: z.output<typeof createPortalLinkBody>,
): Promise<PortalLink & { url: string }> {
  const key = askingKey(ctx);
  if (!body.read_only && !key.scopes.includes(WRITE)) {
    throw fieldError('read_only', `must be true for a key without the scope ${WRITE}`, { code: 'forbidden' });
  }
  await requireKnownProject(ctx, body.project_id);
  const token = `tr_link_${randomBase62(ctx.random, TOKEN_DIGITS)}`;
  const seconds = (count: number) => sql`now() + make_interval(secs => ${count}::integer)`;
  const [row] = await ctx.db.transaction(async (tx) => {
    await lockTenant(tx, key);
    const [live] = await tx
      .select({ links: count() })
      .from(portalLinks)
      .innerJoin(apiKeys, eq(apiKeys.id, portalLinks.keyId))
      .where(
        and(eq(apiKeys.tenantId, key.tenantId), isNull(portalLinks.endedAt), gt(portalLinks.expiresAt, sql`now()`)),
      );
    if ((live?.links ?? 0) >= MOST_LIVE) {
      const detail = `At most ${MOST_LIVE} portal links at once: end some, or let them expire sooner.`;
      throw new PlatformError('limit_reached', detail);
    }
    return tx
      .insert(portalLinks)
      .values({
        id: newId('ptl', ctx.random),
        keyId: key.keyId,
        linkHash: sha256Hex(token),
        scopes: body.read_only ? ['webhooks:read'] : ['webhooks:read', WRITE],
        projectId: body.project_id ?? null,
        frameOrigins: body.frame_origins,
        opensUntil: seconds(Math.min(OPEN_WITHIN_SECONDS, body.expires_in_seconds)),
        expiresAt: seconds(body.expires_in_seconds),
      })
      .returning(linkColumns);
  });
  if (row === undefined) throw new Error('The insert of a portal link returned no row');
  return { ...toLink(row), url: new URL(`/portal/${row.id}#${token}`, env().BASE_URL).href };
}

/** Links that the keys of the tenant made, as a condition. */
const ownLinks = (ctx: Ctx): SQL =>
  sql`${portalLinks.keyId} in (select id from ${apiKeys} where tenant_id = ${askingKey(ctx).tenantId})`;

const notFound = () => new PlatformError('not_found', 'There is no such portal link.');

/** The tenant's links, the newest first; those that are long over are gone. */
export async function listPortalLinks(
  ctx: Ctx,
  page: { cursor?: string | undefined; limit: number },
): Promise<{ portal_links: PortalLink[]; next_cursor: string | null }> {
  const after = decodeCursor(page.cursor, 'ptl');
  const rows = await ctx.db
    .select(linkColumns)
    .from(portalLinks)
    .where(
      and(
        ownLinks(ctx),
        // The place is read from the row itself: a cursor's milliseconds would step over rows of the same millisecond.
        after === null
          ? undefined
          : sql`(${portalLinks.createdAt}, ${portalLinks.id}) < (select created_at, id from portal_links where id = ${after.id})`,
      ),
    )
    .orderBy(desc(portalLinks.createdAt), desc(portalLinks.id))
    .limit(page.limit + 1);
  const { rows: shown, next } = toPage(rows, page.limit, (row) => ({ at: row.createdAt, id: row.id }));
  return { portal_links: shown.map(toLink), next_cursor: next };
}

const knownAct = (text: string) => {
  const act = WEBHOOK_ACTS.find((candidate) => candidate === text);
  if (act === undefined) throw new Error(`A stored entry has the unknown action ${text}`);
  return act;
};

/** One of the tenant's links, with what was done by it, the newest first. Throws `not_found`. */
export async function getPortalLink(ctx: Ctx, id: string) {
  const [row] = await ctx.db
    .select(linkColumns)
    .from(portalLinks)
    .where(and(eq(portalLinks.id, id), ownLinks(ctx)));
  if (row === undefined) throw notFound();
  const entries = await ctx.db
    .select()
    .from(portalAuditEntries)
    .where(eq(portalAuditEntries.linkId, id))
    .orderBy(desc(portalAuditEntries.createdAt), desc(portalAuditEntries.id))
    .limit(MOST_ENTRIES);
  const audit = entries.map(({ action, webhookId, requestId, createdAt }) => ({
    action: knownAct(action),
    webhook_id: webhookId,
    request_id: requestId,
    created_at: toIso(createdAt),
  }));
  return { ...toLink(row), audit };
}

/**
 * Ends a link and what was opened by it, at once; the first time stands. A key that may not write ends only its own. Throws
 * `not_found`.
 */
export async function endPortalLink(ctx: Ctx, id: string): Promise<PortalLink> {
  const key = askingKey(ctx);
  const [row] = await ctx.db
    .update(portalLinks)
    .set({ endedAt: sql`coalesce(${portalLinks.endedAt}, now())` })
    .where(
      and(
        eq(portalLinks.id, id),
        ownLinks(ctx),
        key.scopes.includes(WRITE) ? undefined : eq(portalLinks.keyId, key.keyId),
      ),
    )
    .returning(linkColumns);
  if (row === undefined) throw notFound();
  return toLink(row);
}
