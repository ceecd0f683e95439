import { and, desc, eq, sql } from 'drizzle-orm';
import { replays } from '#drizzle/schema/events.ts';
import { decodeCursor, toPage } from '#lib/base/cursor.ts';
import type { Ctx } from '#lib/ctx.ts';
import { actingTenant } from '#lib/webhooks/registry/acting-tenant.ts';
import { requireOwnWebhook } from '#lib/webhooks/rows.ts';
import type { Replay } from './contracts.ts';
import { toReplays } from './read-replays.ts';

/** The replays of one of the tenant's webhooks, the newest first. Throws `webhook_not_found`. */
export async function listReplays(
  ctx: Ctx,
  webhookId: string,
  query: { cursor?: string | undefined; limit: number },
): Promise<{ replays: Replay[]; next_cursor: string | null }> {
  const after = decodeCursor(query.cursor, 'rpl');
  await requireOwnWebhook(ctx.db, actingTenant(ctx).tenantId, webhookId);
  const rows = await ctx.db
    .select()
    .from(replays)
    .where(
      and(
        eq(replays.webhookId, webhookId),
        after === null
          ? undefined
          : sql`(${replays.createdAt}, ${replays.id}) < (select created_at, id from replays
              where id = ${after.id} and webhook_id = ${webhookId})`,
      ),
    )
    .orderBy(desc(replays.createdAt), desc(replays.id))
    .limit(query.limit + 1);
  const { rows: shown, next } = toPage(rows, query.limit, (row) => ({ at: row.createdAt, id: row.id }));
  return { replays: await toReplays(ctx.db, shown), next_cursor: next };
}
