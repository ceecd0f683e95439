import { sql } from 'drizzle-orm';
import { webhooks } from '#drizzle/schema/events.ts';
import { bulkRows, textArray } from '#lib/base/bulk.ts';
import type { Db } from '#lib/base/db.ts';
import { logFailure } from '#lib/base/outage-log.ts';
import type { Ctx } from '#lib/ctx.ts';
import { deactivateWebhooks, type Suspect } from './deactivate.ts';
import type { Recorded } from './record.ts';

const idsOf = (recorded: readonly Recorded[], kind: Recorded['news']): Set<string> =>
  new Set(recorded.filter(({ news }) => news === kind).map(({ webhookId }) => webhookId));

/**
 * Writes whether webhooks fail, and only where that changes: otherwise every attempt would queue for the row of its webhook.
 * A row that somebody holds is passed over: the next outcome brings the same news.
 */
async function markFailing(db: Db, ids: ReadonlySet<string>, failing: boolean): Promise<void> {
  if (ids.size === 0) return;
  await db.execute(sql`
    with changed as (
      select id from ${webhooks} where id = any (${textArray([...ids])}) and (failing_since is null) = ${failing}::boolean
      for no key update skip locked
    )
    update ${webhooks} w set failing_since = case when ${failing}::boolean then now() end
    from changed where w.id = changed.id`);
}

/** Notes on webhooks that have never taken anything at their URL that they have now. Passes over a row that somebody holds. */
async function noteFirstSuccess(db: Db, recorded: readonly Recorded[]): Promise<void> {
  const urls = new Map(
    recorded.flatMap(({ webhookId, url, news }) =>
      news === 'first_success' || news === 'recovered' ? [[webhookId, url] as const] : [],
    ),
  );
  if (urls.size === 0) return;
  const given = bulkRows(
    'given',
    { id: 'text', url: 'text' },
    [...urls].map(([id, url]) => ({ id, url })),
  );
  await db.execute(sql`
    with proven as (
      select w.id from ${given} join ${webhooks} w on w.id = given.id and w.url = given.url
      where w.first_success_at is null for no key update of w skip locked
    )
    update ${webhooks} w set first_success_at = now(), backlog_full = false from proven where w.id = proven.id`);
}

/**
 * Keeps on the webhooks since when their receivers fail, and deactivates those that are gone or have failed for too long
 * (docs/webhooks.md#automatic-deactivation). Called after the outcomes are stored, never inside: deleting a webhook
 * locks its row before its deliveries. A failure is logged and not thrown: the next outcome brings the same news.
 */
export async function heedNews(ctx: Ctx, recorded: readonly Recorded[]): Promise<void> {
  const recovered = idsOf(recorded, 'recovered');
  const failing = idsOf(recorded, 'failing');
  const suspects = recorded.flatMap<Suspect>(({ webhookId, url, news }) => {
    if (news === 'gone') return { webhookId, url, reason: 'gone' };
    return news === 'failed_too_long' ? { webhookId, url, reason: 'failing' } : [];
  });
  try {
    await markFailing(ctx.db, failing, true);
    // After it: a success among them speaks for the receiver.
    await markFailing(ctx.db, recovered, false);
    await noteFirstSuccess(ctx.db, recorded);
    if (suspects.length > 0) await deactivateWebhooks(ctx, suspects);
  } catch (err) {
    logFailure(ctx, { err }, 'What receivers answered could not be noted on their webhooks');
  }
}
