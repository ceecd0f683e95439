import { type SQL, sql } from 'drizzle-orm';
import { deliveries, deliveryAttempts, events, webhooks } from '#drizzle/schema/events.ts';
import { bulkRows } from '#lib/platform/bulk.ts';
import type { Db } from '#lib/platform/db.ts';
import { hostKey } from './claim.ts';
import type { Exchange } from './send.ts';

/** The end of an attempt. */
export interface Outcome extends Exchange {
  attemptId: string;
  deliveryId: string;
  attempt: number;
  /** Where it was sent. */
  url: string;
  durationMs: number;
  /** Seconds until the next attempt; null after a success and when no attempt is left. */
  retryDelaySeconds: number | null;
}

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
  news: 'recovered' | 'failing' | 'failed_too_long' | 'gone' | null;
};

/** Nothing but failures for this long deactivates a webhook (design section 6). */
const FAILING_DAYS = 5;

/** True once a webhook has had nothing but failures for too long, as far as its row knows. */
export const hasFailedTooLong: SQL = sql`w.failing_since <= now() - make_interval(days => ${FAILING_DAYS}::integer)`;

/** A test event says nothing, nor does the receiver at a URL that is no longer the webhook's. */
const news = sql`case
    when t.is_test or not w.active or e.url <> w.url then null
    when e.error_kind is null then case when w.failing_since is not null then 'recovered' end
    when e.response_code = 410 and e.retry_delay_s is null then 'gone'
    when w.failing_since is null then 'failing'
    when ${hasFailedTooLong} then 'failed_too_long' end`;

/**
 * Stores outcomes of any number of attempts in one statement, and with them when the next attempts are due (database
 * clock). The open attempt row is the fencing token: an attempt that was declared interrupted meanwhile changes
 * nothing. A delivery cancelled meanwhile stays so, unless the receiver did take the event.
 */
export async function recordOutcomes(db: Db, outcomes: readonly Outcome[]): Promise<Recorded[]> {
  if (outcomes.length === 0) return [];
  const given = bulkRows(
    'given',
    {
      attempt_id: 'text',
      delivery_id: 'text',
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
      attempt_id: outcome.attemptId,
      delivery_id: outcome.deliveryId,
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
  const result = await db.execute<Recorded>(sql`
    with outcome as (select * from ${given}),
    held as (
      select d.id from ${deliveries} d where d.id in (select delivery_id from outcome)
      order by d.id for no key update
    ),
    ended as (
      update ${deliveryAttempts} a
      set url = o.url, request_headers = o.request_headers::jsonb, response_headers = o.response_headers::jsonb,
        duration_ms = o.duration_ms, response_code = o.response_code, error_kind = o.error_kind,
        response_body = o.response_body, retry_after = o.retry_after
      from outcome o join held on held.id = o.delivery_id
      where a.id = o.attempt_id and a.duration_ms is null and a.error_kind is null
      returning a.delivery_id, a.attempt, o.url, o.duration_ms, o.response_code, o.error_kind, o.retry_delay_s
    )
    update ${deliveries} d
    set status = case
        when e.error_kind is null then 'success'
        when d.status = 'cancelled' then 'cancelled'
        when e.retry_delay_s is null then 'failed'
        else 'retrying' end,
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
