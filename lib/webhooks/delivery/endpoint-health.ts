import { type SQL, sql } from 'drizzle-orm';
import { deliveries, events, webhooks } from '#drizzle/schema/events.ts';
import { bulkRows, textArray } from '#lib/base/bulk.ts';
import { toIso } from '#lib/base/clock.ts';
import type { Db, Tx } from '#lib/base/db.ts';
import { logFailure } from '#lib/base/outage-log.ts';
import type { Ctx } from '#lib/ctx.ts';
import { appendEvents } from '#lib/events/append.ts';
import type { EventData } from '#lib/events/catalogue.ts';
import type { NewEvent } from '#lib/events/envelope.ts';
import { wakeDispatch } from './wake.ts';

/** What an attempt says about its receiver, where that changes what is written on the webhook. */
export interface HealthReport {
  webhookId: string;
  /** Where the attempt was sent: it says nothing about a URL that the webhook has meanwhile. */
  url: string;
  healthChange: 'first_success' | 'recovered' | 'failing' | 'failed_too_long' | 'gone' | null;
}

/** Nothing but failures for this long deactivates a webhook (docs/webhooks.md#automatic-deactivation). */
const FAILING_DAYS = 5;

/** True once a webhook has had nothing but failures for too long, as far as its row knows. */
const hasFailedTooLong: SQL = sql`w.failing_since <= now() - make_interval(days => ${FAILING_DAYS}::integer)`;

/**
 * The health change that the outcome `e` of event `t` brings to webhook `w`. A test event says nothing, nor does the receiver at
 * a URL that is no longer the webhook's.
 */
export const healthChange = sql`case
    when t.is_test or not w.active or e.url <> w.url then null
    when e.error_kind is null then case when w.failing_since is not null then 'recovered'
      when w.first_success_at is null then 'first_success' end
    when e.response_code = 410 and e.retry_delay_s is null then 'gone'
    when w.failing_since is null then 'failing'
    when ${hasFailedTooLong} then 'failed_too_long' end`;

/**
 * Keeps on the webhooks since when their receivers fail, and deactivates those that are gone or have failed for too long
 * (docs/webhooks.md#automatic-deactivation). Called after the outcomes are stored, never inside: deleting a webhook
 * locks its row before its deliveries. A failure is logged and not thrown: the next outcome reports the same.
 */
export async function noteEndpointHealth(ctx: Ctx, reports: readonly HealthReport[]): Promise<void> {
  const those = (...kinds: HealthReport['healthChange'][]) =>
    reports.filter((report) => kinds.includes(report.healthChange));
  try {
    await markFailing(ctx.db, those('failing'), true);
    // After it: a success among them speaks for the receiver.
    await markFailing(ctx.db, those('recovered'), false);
    await noteFirstSuccess(ctx.db, those('first_success', 'recovered'));
    await deactivateWebhooks(ctx, those('gone', 'failed_too_long'));
  } catch (err) {
    logFailure(ctx, { err }, 'The health of webhooks could not be updated');
  }
}

/**
 * Writes whether webhooks fail, and only where that changes: otherwise every attempt would queue for the row of its webhook.
 * A locked row is passed over: the next outcome reports the same.
 */
async function markFailing(db: Db, reports: readonly HealthReport[], failing: boolean): Promise<void> {
  if (reports.length === 0) return;
  const ids = textArray(reports.map(({ webhookId }) => webhookId));
  await db.execute(sql`
    with changed as (
      select id from ${webhooks} where id = any (${ids}) and (failing_since is null) = ${failing}::boolean
      for no key update skip locked
    )
    update ${webhooks} w set failing_since = case when ${failing}::boolean then now() end
    from changed where w.id = changed.id`);
}

/** Notes on webhooks that have never taken anything at their URL that they have now. Passes over a locked row. */
async function noteFirstSuccess(db: Db, reports: readonly HealthReport[]): Promise<void> {
  if (reports.length === 0) return;
  const given = bulkRows(
    'given',
    { id: 'text', url: 'text' },
    reports.map(({ webhookId, url }) => ({ id: webhookId, url })),
  );
  await db.execute(sql`
    with proven as (
      select w.id from ${given} join ${webhooks} w on w.id = given.id and w.url = given.url
      where w.first_success_at is null for no key update of w skip locked
    )
    update ${webhooks} w set first_success_at = now(), backlog_full = false from proven where w.id = proven.id`);
}

type Reason = EventData['system.webhook_disabled']['reason'];

const MESSAGE: Record<Reason, string> = {
  gone: 'The last attempt of a delivery was answered 410 Gone.',
  failing: 'Every attempt has failed for five days.',
};

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
    message: `${MESSAGE[reason]} Repair the receiver, then set active to true.`,
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
async function deactivateWebhooks(ctx: Ctx, reports: readonly HealthReport[]): Promise<void> {
  if (reports.length === 0) return;
  const given = bulkRows(
    'given',
    { id: 'text', url: 'text', reason: 'text' },
    reports.map(({ webhookId, url, healthChange: change }) => ({
      id: webhookId,
      url,
      reason: change === 'gone' ? 'gone' : 'failing',
    })),
  );
  const told = await ctx.db.transaction(async (tx) => {
    await forgiveThoseThatSucceeded(
      tx,
      reports.map(({ webhookId }) => webhookId),
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
