import { type SQL, sql } from 'drizzle-orm';
import { deliveries, deliveryAttempts, events, webhooks } from '#drizzle/schema/events.ts';
import { bulkRows, textArray } from '#lib/base/bulk.ts';
import { newId } from '#lib/base/ids.ts';
import type { Ctx } from '#lib/ctx.ts';
import { hostKey } from './claim.ts';
import type { Outcome } from './send.ts';

/** Where a delivery stands after an outcome was stored. */
export type Recorded = {
  deliveryId: string;
  status: 'success' | 'failed' | 'retrying' | 'cancelled';
  nextAttempt: number;
  webhookId: string;
  host: string;
  /** Where the attempt was sent: it says nothing about a URL that the webhook has meanwhile. */
  url: string;
  /** What it says about the receiver, where that is news to the webhook. */
  news: 'first_success' | 'recovered' | 'failing' | 'failed_too_long' | 'gone' | null;
};

/** Nothing but failures for this long deactivates a webhook (docs/webhooks.md#automatic-deactivation). */
const FAILING_DAYS = 5;

/** True once a webhook has had nothing but failures for too long, as far as its row knows. */
export const hasFailedTooLong: SQL = sql`w.failing_since <= now() - make_interval(days => ${FAILING_DAYS}::integer)`;

/** A test event says nothing, nor does the receiver at a URL that is no longer the webhook's. */
const news = sql`case
    when t.is_test or not w.active or e.url <> w.url then null
    when e.error_kind is null then case when w.failing_since is not null then 'recovered'
      when w.first_success_at is null then 'first_success' end
    when e.response_code = 410 and e.retry_delay_s is null then 'gone'
    when w.failing_since is null then 'failing'
    when ${hasFailedTooLong} then 'failed_too_long' end`;

const rowsOf = (ctx: Ctx, outcomes: readonly Outcome[]): SQL => {
  const nowMs = ctx.clock.nowMs();
  return bulkRows(
    'given',
    {
      attempt_id: 'text',
      delivery_id: 'text',
      attempt: 'integer',
      leased_until: 'timestamptz',
      started_ms_ago: 'integer',
      url: 'text',
      request_headers: 'text',
      response_headers: 'text',
      duration_ms: 'integer',
      response_code: 'integer',
      error_kind: 'text',
      response_body: 'text',
      retry_after: 'text',
      retry_delay_s: 'integer',
    },
    outcomes.map((outcome) => ({
      attempt_id: newId('att', ctx.random),
      delivery_id: outcome.deliveryId,
      attempt: outcome.attempt,
      leased_until: outcome.leasedUntil,
      started_ms_ago: Math.max(0, Math.round(nowMs - outcome.startedAtMs)),
      url: outcome.url,
      request_headers: JSON.stringify(outcome.requestHeaders),
      response_headers: outcome.responseHeaders === null ? null : JSON.stringify(outcome.responseHeaders),
      duration_ms: outcome.durationMs,
      response_code: outcome.responseCode,
      error_kind: outcome.errorKind,
      response_body: outcome.responseBody,
      retry_after: outcome.retryAfter,
      retry_delay_s: outcome.retryDelaySeconds,
    })),
  );
};

/**
 * Stores outcomes of any number of attempts in one statement, and with them when the next attempts are due (database
 * clock). The end of the claim is the fencing token: an attempt that was declared interrupted meanwhile changes
 * nothing. A delivery cancelled meanwhile stays so, unless the receiver did take the event.
 */
export async function recordOutcomes(ctx: Ctx, outcomes: readonly Outcome[]): Promise<Recorded[]> {
  if (outcomes.length === 0) return [];
  const ids = textArray(outcomes.map(({ deliveryId }) => deliveryId));
  // The rows are found by their ids before anything is joined: without statistics the planner would go through all of them.
  const result = await ctx.db.execute<Recorded>(sql`
    with outcome as materialized (select * from ${rowsOf(ctx, outcomes)}),
    held as materialized (
      select d.id, d.leased_until, d.next_attempt from ${deliveries} d where d.id = any (${ids})
      order by d.id for no key update
    ),
    ended as materialized (
      select o.* from outcome o join held on held.id = o.delivery_id
      where held.leased_until = o.leased_until and held.next_attempt = o.attempt
    ),
    entered as (
      insert into ${deliveryAttempts} (id, delivery_id, attempt, started_at, url, request_headers, response_headers,
        duration_ms, response_code, error_kind, response_body, retry_after)
      select attempt_id, delivery_id, attempt, now() - make_interval(secs => started_ms_ago / 1000.0), url, request_headers::jsonb,
        response_headers::jsonb, duration_ms, response_code, error_kind, response_body, retry_after
      from ended
    )
    update ${deliveries} d
    set status = case
        when e.error_kind is null then 'success'
        when d.status = 'cancelled' then 'cancelled'
        when e.retry_delay_s is null then 'failed'
        else 'retrying' end,
      cancel_reason = case when e.error_kind is null then null else d.cancel_reason end,
      next_attempt = e.attempt + 1,
      due_at = case
        when e.error_kind is null or d.status = 'cancelled' then null
        else now() + make_interval(secs => e.retry_delay_s) end,
      leased_until = null,
      sweeps = 0,
      response_code = e.response_code,
      duration_ms = e.duration_ms,
      delivered_at = case when e.error_kind is null then now() end
    from ended e, ${webhooks} w, ${events} t
    where d.id = e.delivery_id and w.id = d.webhook_id and t.id = d.event_id
    returning d.id as "deliveryId", d.status, d.next_attempt as "nextAttempt", w.id as "webhookId", ${hostKey} as host,
      e.url, ${news} as news`);
  return result.rows;
}
