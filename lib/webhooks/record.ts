import { sql } from 'drizzle-orm';
import { deliveries, deliveryAttempts } from '#drizzle/schema/events.ts';
import { bulkRows } from '#lib/platform/bulk.ts';
import type { Db } from '#lib/platform/db.ts';
import type { Exchange } from './send.ts';

/** The end of an attempt. */
export interface Outcome extends Exchange {
  attemptId: string;
  deliveryId: string;
  attempt: number;
  durationMs: number;
  /** Seconds until the next attempt; null after a success and when no attempt is left. */
  retryDelaySeconds: number | null;
}

/** Where a delivery stands after an outcome was stored. */
export type Recorded = {
  deliveryId: string;
  status: 'success' | 'failed' | 'retrying' | 'cancelled';
  nextAttempt: number;
};

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
      set duration_ms = o.duration_ms, response_code = o.response_code, error_kind = o.error_kind,
        response_body = o.response_body, retry_after = o.retry_after
      from outcome o join held on held.id = o.delivery_id
      where a.id = o.attempt_id and a.duration_ms is null and a.error_kind is null
      returning a.delivery_id, a.attempt, o.duration_ms, o.response_code, o.error_kind, o.retry_delay_s
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
    from ended e
    where d.id = e.delivery_id
    returning d.id as "deliveryId", d.status, d.next_attempt as "nextAttempt"`);
  return result.rows;
}
