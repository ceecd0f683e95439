import { and, desc, gt, isNull, lt, or, sql } from 'drizzle-orm';
import { webhooks } from '#drizzle/schema/events.ts';
import { toIsoOrNull } from '#lib/base/clock.ts';
import { decodeCursor, toPage } from '#lib/base/cursor.ts';
import type { Ctx } from '#lib/ctx.ts';
import { toWebhook, webhookColumns } from '#lib/webhooks/rows.ts';
import type { Webhook } from '#lib/webhooks/schemas.ts';
import { ADMINISTRATORS_TENANT, ownWebhook, ownWebhooks, webhookNotFound } from './acting-tenant.ts';

/** One of the tenant's webhooks. Throws `webhook_not_found`. */
export async function getWebhook(ctx: Ctx, id: string): Promise<Webhook> {
  const [row] = await ctx.db.select(webhookColumns).from(webhooks).where(ownWebhook(ctx, id));
  if (row === undefined) throw webhookNotFound();
  return toWebhook(row);
}

/** The tenant's webhooks, the newest first. */
export async function listWebhooks(
  ctx: Ctx,
  page: { cursor?: string | undefined; limit: number },
): Promise<{ webhooks: Webhook[]; next_cursor: string | null }> {
  const after = decodeCursor(page.cursor, 'wh');
  const rows = await ctx.db
    .select(webhookColumns)
    .from(webhooks)
    .where(
      and(
        ownWebhooks(ctx),
        // The place is read from the row itself: a cursor's milliseconds would step over rows of the same millisecond.
        after === null
          ? undefined
          : sql`(${webhooks.createdAt}, ${webhooks.id}) < (select created_at, id from webhooks where id = ${after.id})`,
      ),
    )
    .orderBy(desc(webhooks.createdAt), desc(webhooks.id))
    .limit(page.limit + 1);
  const { rows: shown, next } = toPage(rows, page.limit, (row) => ({ at: row.createdAt, id: row.id }));
  return { webhooks: shown.map(toWebhook), next_cursor: next };
}

/** Fewer failures on end pass by themselves: the schedule retries for seven hours. */
const FAILING_MINUTES = 60;
/** An owner who has not switched it on again by then does not miss it. */
const SHOWN_DAYS = 30;

/**
 * A webhook that fails or was switched off, as far as it concerns who runs the platform: whose host it is, so that its
 * owner can be told. Path and query of its URL, its description and what is sent to it stay its tenant's: a URL often
 * holds a secret.
 */
export interface FailingWebhook {
  id: string;
  host: string;
  /** It is the administrators' own: their alerts do not arrive. */
  ours: boolean;
  failingSince: string | null;
  disabledAt: string | null;
  disabledReason: 'gone' | 'failing' | null;
}

/** Webhooks of all tenants that fail for an hour or were switched off within 30 days: ours first, then the newest. */
export async function listFailingWebhooks(
  { db, clock }: Ctx,
  limit: number,
): Promise<{ webhooks: FailingWebhook[]; total: number }> {
  const before = (ms: number) => new Date(clock.nowMs() - ms);
  const rows = await db
    .select({
      id: webhooks.id,
      host: webhooks.host,
      ours: sql<boolean>`${webhooks.tenantId} = ${ADMINISTRATORS_TENANT}`.as('ours'),
      failingSince: webhooks.failingSince,
      disabledAt: webhooks.disabledAt,
      disabledReason: webhooks.disabledReason,
      total: sql<number>`(count(*) over ())::integer`,
    })
    .from(webhooks)
    .where(
      and(
        isNull(webhooks.deletedAt),
        or(
          and(webhooks.active, lt(webhooks.failingSince, before(FAILING_MINUTES * 60_000))),
          gt(webhooks.disabledAt, before(SHOWN_DAYS * 86_400_000)),
        ),
      ),
    )
    .orderBy(desc(sql`ours`), desc(sql`coalesce(${webhooks.disabledAt}, ${webhooks.failingSince})`), webhooks.id)
    .limit(limit);
  return {
    webhooks: rows.map(({ total: _total, failingSince, disabledAt, ...row }) => ({
      ...row,
      failingSince: toIsoOrNull(failingSince),
      disabledAt: toIsoOrNull(disabledAt),
    })),
    total: rows[0]?.total ?? 0,
  };
}
