import { sql } from 'drizzle-orm';
import { deliveries, events, webhooks } from '#drizzle/schema/events.ts';
import { bulkRows, textArray } from '#lib/base/bulk.ts';
import { toIso } from '#lib/base/clock.ts';
import type { Tx } from '#lib/base/db.ts';
import type { Ctx } from '#lib/ctx.ts';
import { appendEvents } from '#lib/events/append.ts';
import type { EventData } from '#lib/events/catalogue.ts';
import type { NewEvent } from '#lib/events/envelope.ts';
import { hasFailedTooLong } from './record.ts';
import { wakeDispatch } from './wake.ts';

type Reason = EventData['system.webhook_disabled']['reason'];

const MESSAGE: Record<Reason, string> = {
  gone: 'The last attempt of a delivery was answered 410 Gone.',
  failing: 'Every attempt has failed for five days.',
};

/** A webhook to be switched off, if the attempts that say so went to the URL that it has. */
export interface Suspect {
  webhookId: string;
  url: string;
  reason: Reason;
}

/** A webhook that was just switched off. */
type Disabled = { id: string; reason: Reason; disabledAt: string; failingSince: string | null };

const disabledEvent = ({ id, reason, disabledAt, failingSince }: Disabled): NewEvent<'system.webhook_disabled'> => ({
  type: 'system.webhook_disabled',
  subject: `${id}:${disabledAt}`,
  projectId: null,
  occurredAt: new Date(disabledAt),
  data: {
    webhook_id: id,
    reason,
    message: `${MESSAGE[reason]} Mend the receiver, then set active to true.`,
    failing_since: failingSince === null ? null : toIso(new Date(failingSince)),
    disabled_at: toIso(new Date(disabledAt)),
  },
});

/** Deliveries that ended since failures began were written at most so long before: the schedule takes seven hours. */
const EARLIER_DAYS = 1;

/** A success since the failures began: its note on the webhook was passed over, or died with who stored it. */
const hasSucceededSince = sql`exists (
  select from ${deliveries} d join ${events} e on e.id = d.event_id and not e.is_test
  where d.webhook_id = w.id and d.status = 'success' and d.delivered_at >= w.failing_since
    and d.created_at >= w.failing_since - make_interval(days => ${EARLIER_DAYS}::integer))`;

/** Notes late what a success said. The webhooks are locked meanwhile, so that a second statement judges what is left. */
async function forgiveThoseThatSucceeded(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.execute(sql`select from ${webhooks} where id = any (${textArray(ids)}) order by id for no key update`);
  await tx.execute(sql`
    update ${webhooks} w set failing_since = null
    where w.id = any (${textArray(ids)}) and w.active and ${hasFailedTooLong} and ${hasSucceededSince}`);
}

/**
 * Switches webhooks off whose receivers are gone, or have done nothing but fail for too long, and tells their tenants'
 * other webhooks, in one transaction. Once only: it takes one that is still active and still at the URL that was asked. What
 * waits for them is cancelled as it comes due.
 */
export async function deactivateWebhooks(ctx: Ctx, suspects: readonly Suspect[]): Promise<void> {
  const given = bulkRows(
    'given',
    { id: 'text', url: 'text', reason: 'text' },
    suspects.map(({ webhookId, url, reason }) => ({ id: webhookId, url, reason })),
  );
  const told = await ctx.db.transaction(async (tx) => {
    await forgiveThoseThatSucceeded(
      tx,
      suspects.map(({ webhookId }) => webhookId),
    );
    const disabled = await tx.execute<Disabled>(sql`
      with guilty as (
        select w.id, given.reason from ${given} join ${webhooks} w on w.id = given.id and w.url = given.url
        where w.active and w.deleted_at is null and (given.reason = 'gone' or ${hasFailedTooLong})
        order by w.id for no key update of w
      )
      update ${webhooks} w
      set active = false, inactive_since = now(), disabled_at = now(), disabled_reason = guilty.reason, updated_at = now()
      from guilty where w.id = guilty.id
      returning w.id, w.disabled_reason as reason, w.disabled_at as "disabledAt", w.failing_since as "failingSince"`);
    for (const { id, reason } of disabled.rows) ctx.log.warn({ webhook_id: id, reason }, 'A webhook was deactivated');
    return appendEvents(tx, disabled.rows.map(disabledEvent));
  });
  if (told > 0) await wakeDispatch(ctx);
}
