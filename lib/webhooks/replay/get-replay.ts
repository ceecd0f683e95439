import { and, eq } from 'drizzle-orm';
import { replays } from '#drizzle/schema/events.ts';
import type { Db } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import { actingTenant } from '#lib/webhooks/registry/acting-tenant.ts';
import { requireOwnWebhook } from '#lib/webhooks/rows.ts';
import type { Replay } from './contracts.ts';
import { toReplays } from './read-replays.ts';

/** A replay of the webhook. Whose webhook it is was checked before. Throws `not_found`. */
export async function findReplay(db: Db, webhookId: string, id: string): Promise<Replay> {
  const rows = await db
    .select()
    .from(replays)
    .where(and(eq(replays.id, id), eq(replays.webhookId, webhookId)));
  const [replay] = await toReplays(db, rows);
  if (replay === undefined) throw new PlatformError('not_found', 'This webhook has no such replay.');
  return replay;
}

/** How far a replay of one of the tenant's webhooks has come. Throws `webhook_not_found`, `not_found`. */
export async function getReplay(ctx: Ctx, webhookId: string, id: string): Promise<Replay> {
  await requireOwnWebhook(ctx.db, actingTenant(ctx).tenantId, webhookId);
  return findReplay(ctx.db, webhookId, id);
}
