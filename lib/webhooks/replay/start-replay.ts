import { replays, webhooks } from '#drizzle/schema/events.ts';
import { nameOf } from '#lib/audit.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { isUniqueViolation } from '#lib/base/unique-violation.ts';
import type { Ctx } from '#lib/ctx.ts';
import { wakeDispatch } from '#lib/webhooks/delivery/wake.ts';
import { actingTenant } from '#lib/webhooks/registry/acting-tenant.ts';
import { auditWebhook } from '#lib/webhooks/registry/audit.ts';
import { lockActiveWebhook } from '#lib/webhooks/registry/lock-webhook.ts';
import { ownWebhook, webhookNotFound } from '#lib/webhooks/rows.ts';
import type { Replay, ReplayCount, StartReplay } from './contracts.ts';
import { countOwed, MAX_TOTAL, type Owed } from './count-owed.ts';
import { toReplays } from './read-replays.ts';

const fault = (field: string, message: string) =>
  new PlatformError('invalid_request', `${field}: ${message}.`, { errors: [{ field, message }] });

/** Counts what is asked for, of one of the tenant's webhooks. */
async function count(ctx: Ctx, webhookId: string, body: StartReplay): Promise<Owed> {
  const [webhook] = await ctx.db
    .select({ events: webhooks.events })
    .from(webhooks)
    .where(ownWebhook(actingTenant(ctx).tenantId, webhookId));
  if (webhook === undefined) throw webhookNotFound();
  const strange = body.event_types?.findIndex((type) => !webhook.events.includes(type)) ?? -1;
  if (strange !== -1) throw fault(`event_types[${strange}]`, 'is no event type that the webhook subscribes to');
  const owed = await countOwed(ctx.db, webhookId, body);
  if (owed === null) throw fault('from', 'lies too far back to count what came since: ask for a shorter time');
  if (body.from.getTime() >= owed.toMs) throw fault('from', 'must lie in the past');
  return owed;
}

/** How many deliveries a replay would make, counted to one more than it may; nothing is written. Throws `webhook_not_found` and `invalid_request`. */
export async function countReplay(ctx: Ctx, webhookId: string, body: StartReplay): Promise<ReplayCount> {
  const { total, missed, pruned } = await count(ctx, webhookId, body);
  return { dry_run: true, total, missed, pruned };
}

/**
 * Asks for the events of a time to be sent once more; they are written by `writeReplays`, a few at a time. Throws
 * `webhook_not_found`, `invalid_request` for more than a replay takes on, and `conflict` for an inactive webhook and while
 * another replay of it is running.
 */
export async function startReplay(ctx: Ctx, webhookId: string, body: StartReplay): Promise<Replay> {
  const owed = await count(ctx, webhookId, body);
  if (owed.total > MAX_TOTAL) {
    throw fault('from', `More than ${MAX_TOTAL} events are too many: ask for a shorter time`);
  }
  const started = await ctx.db
    .transaction(async (tx) => {
      await lockActiveWebhook(tx, actingTenant(ctx).tenantId, webhookId);
      const rows = await tx
        .insert(replays)
        .values({
          id: newId('rpl', ctx.random),
          webhookId,
          fromTime: body.from,
          toTime: new Date(owed.toMs),
          selection: body.selection,
          eventTypes: body.event_types ?? null,
          total: owed.total,
          throughSequence: owed.afterSequence,
          requestedBy: nameOf(ctx.actor),
        })
        .returning();
      await auditWebhook(tx, ctx, 'webhook.replay', { id: webhookId });
      return toReplays(tx, rows);
    })
    .catch((error) => {
      if (!isUniqueViolation(error, 'replays_one_running')) throw error;
      throw new PlatformError(
        'conflict',
        'A replay of this webhook is running: cancel it, or wait until it has ended.',
      );
    });
  const [replay] = started;
  if (replay === undefined) throw new Error('The insert of a replay returned no row');
  await wakeDispatch(ctx);
  return replay;
}
