import { sql } from 'drizzle-orm';
import { deliveries, deliveryAttempts, events } from '#drizzle/schema/events.ts';
import { deliveryMinutes } from '#drizzle/schema/health.ts';
import type { Db } from '#lib/base/db.ts';

/** Latencies are counted below these bounds, milliseconds: to within a quarter or so, up to half a day. */
export const LATENCY_BOUNDS_MS: readonly number[] = [
  ...[5, 10, 20, 30, 40, 50, 65, 80, 100, 125, 160, 200, 250, 320, 400, 500, 650, 800],
  ...[1_000, 1_250, 1_600, 2_000, 2_500, 3_200, 4_000, 5_000, 6_500, 8_000, 10_000, 15_000, 30_000, 60_000],
  ...[120_000, 300_000, 900_000, 3_600_000, 14_400_000, 43_200_000],
];

export interface LatencyCount {
  /** One of LATENCY_BOUNDS_MS. */
  belowMs: number;
  count: number;
}

/**
 * The latency in milliseconds that the given part (0 to 1) of the counted stays below, as if those below one bound lay
 * evenly between it and the one before; null when nothing was counted. Pure.
 */
export function percentileMs(counts: readonly LatencyCount[], part: number): number | null {
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  let left = part * total;
  for (const { belowMs, count } of counts.toSorted((a, b) => a.belowMs - b.belowMs)) {
    if (count === 0) continue;
    if (left <= count) {
      const fromMs = LATENCY_BOUNDS_MS[LATENCY_BOUNDS_MS.indexOf(belowMs) - 1] ?? 0;
      return Math.round(fromMs + ((belowMs - fromMs) * left) / count);
    }
    left -= count;
  }
  return null;
}

/** Figures are of 24 hours; an older minute is not read. */
const KEPT_HOURS = 25;
/** An attempt that began longer ago has ended, or its function is gone: a time-out is 30 s at most, a claim 50 s. */
const ENDED_AFTER_SECONDS = 60;
/** What one statement counts. After a long pause each run makes up for an hour. */
const MOST_MINUTES = 60;

const bounds = sql`${sql.param(LATENCY_BOUNDS_MS.map(String))}::text[]::integer[]`;
const latency = sql`(extract(epoch from d.delivered_at - d.created_at) * 1000)::integer`;

/** Whole minutes that no attempt can be added to any more. */
interface Span extends Record<string, unknown> {
  from: string;
  /** Exclusive. */
  to: string;
}

/** From the first attempt that is not counted; null when there is none that has ended for sure. */
async function spanToCount(db: Db): Promise<Span | null> {
  const { rows } = await db.execute<Span>(sql`
    with first as (
      select date_trunc('minute', min(started_at)) as minute from ${deliveryAttempts} where started_at >= greatest(
        (select max(minute) + interval '1 minute' from ${deliveryMinutes}),
        date_trunc('minute', now() - make_interval(hours => ${KEPT_HOURS - 1}::integer)))
    ),
    span as (
      select minute, least(minute + make_interval(mins => ${MOST_MINUTES}::integer),
        date_trunc('minute', now() - make_interval(secs => ${ENDED_AFTER_SECONDS}::integer))) as until from first
    )
    select minute::text as "from", until::text as "to" from span where minute < until`);
  return rows[0] ?? null;
}

/**
 * Counts webhook attempts by the minute in which they began, once and for all, from where the last run ended; gives how many
 * rows that made. Test events count nowhere: who tries something out is no receiver that fails. Safe beside itself: the
 * second one's rows are there already. The span is read first, since of times that it knows the planner sees how few they are.
 */
export async function countMinutes(db: Db): Promise<number> {
  const span = await spanToCount(db);
  if (span === null) return 0;
  const { rowCount } = await db.execute(sql`
    with pruned as (
      delete from ${deliveryMinutes} where minute < now() - make_interval(hours => ${KEPT_HOURS}::integer)
    )
    insert into ${deliveryMinutes} (minute, outcome, below_ms, attempts)
    select date_trunc('minute', a.started_at),
      case when a.error_kind is null then 'delivered'
        when d.status = 'failed' and d.next_attempt = a.attempt + 1 then 'given_up' else 'retried' end as outcome,
      case when a.error_kind is null
        then (${bounds})[least(width_bucket(${latency}, ${bounds}) + 1, ${LATENCY_BOUNDS_MS.length}::integer)]
        else 0 end as below_ms,
      count(*)
    from ${deliveryAttempts} a
    join ${deliveries} d on d.id = a.delivery_id
    join ${events} e on e.id = d.event_id and not e.is_test
    where a.started_at >= ${span.from}::timestamptz and a.started_at < ${span.to}::timestamptz
      and a.duration_ms is not null and a.error_kind is distinct from 'interrupted'
    group by 1, 2, 3
    -- How far it is counted, also where there was nothing to count.
    union all select ${span.to}::timestamptz - interval '1 minute', 'delivered', 0, 0
    -- Two that insert the same rows wait for each other's: in one order, that is no deadlock.
    order by 1, 2, 3
    on conflict do nothing`);
  return rowCount ?? 0;
}
