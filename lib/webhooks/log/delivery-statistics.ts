import { sql } from 'drizzle-orm';
import { deliveries, events } from '#drizzle/schema/events.ts';
import { toIso } from '#lib/base/clock.ts';
import type { Ctx } from '#lib/ctx.ts';
import { eventsWithinLimit, requireOwnWebhook } from '#lib/webhooks/registry/acting-tenant.ts';
import { type DeliveryStatistics, MOST_COUNTED } from './contracts.ts';

/** How many spans of how many seconds a period has: as many as a chart can show. */
const SPANS: Record<DeliveryStatistics['period'], { count: number; seconds: number }> = {
  hour: { count: 30, seconds: 120 },
  day: { count: 48, seconds: 1_800 },
  week: { count: 42, seconds: 14_400 },
};

interface Counted extends Record<string, unknown> {
  /** Where the span begins; null for all of them. */
  fromSeconds: number | null;
  success: number;
  failed: number;
  cancelled: number;
  unfinished: number;
  latencies: [number, number] | null;
  /** Deliveries of the period that were looked at, and when the first of them was made. */
  newest: number;
  firstMs: number;
}

type Outcomes = Omit<DeliveryStatistics['spans'][number], 'from'>;

const NONE: Outcomes = {
  success: 0,
  failed: 0,
  cancelled: 0,
  unfinished: 0,
  latency_ms: { p50: null, p95: null },
};

const toOutcomes = ({ success, failed, cancelled, unfinished, latencies }: Counted): Outcomes => ({
  success,
  failed,
  cancelled,
  unfinished,
  latency_ms: {
    p50: latencies === null ? null : Math.round(latencies[0]),
    p95: latencies === null ? null : Math.round(latencies[1]),
  },
});

/** Rounded down: a single failure is never rounded away. */
const successRate = ({ success, failed }: Outcomes): number | null =>
  success + failed === 0 ? null : Math.floor((success / (success + failed)) * 10_000) / 10_000;

/**
 * The deliveries of one of the tenant's webhooks in spans of a period, by the time when they were made: their outcomes, and the
 * latency of those that arrived. The spans begin at whole multiples of their length, so that they stay what they are from one
 * reading to the next. Of a period with too many the newest are counted. Throws `webhook_not_found`.
 */
export async function getDeliveryStatistics(
  ctx: Ctx,
  webhookId: string,
  period: DeliveryStatistics['period'],
): Promise<DeliveryStatistics> {
  await requireOwnWebhook(ctx, webhookId);
  const ofEvents = eventsWithinLimit(ctx);
  const { count, seconds } = SPANS[period];
  const toSeconds = (Math.floor(ctx.clock.nowMs() / 1_000 / seconds) + 1) * seconds;
  const fromSeconds = toSeconds - count * seconds;
  const { rows } = await ctx.db.execute<Counted>(sql`
    with newest as (
      select event_id, status, created_at,
        date_bin(make_interval(secs => ${seconds}::integer), created_at, to_timestamp(${fromSeconds}::integer)) as span,
        (extract(epoch from delivered_at - created_at) * 1000)::float8 as latency_ms
      from ${deliveries}
      where webhook_id = ${webhookId} and created_at >= to_timestamp(${fromSeconds}::integer)
        and created_at < to_timestamp(${toSeconds}::integer)
      order by created_at desc
      limit ${MOST_COUNTED}::integer
    ),
    counted as (
      select * from newest${ofEvents === undefined ? sql`` : sql` where event_id in (select id from ${events} where ${ofEvents})`}
    )
    select extract(epoch from span)::integer as "fromSeconds",
      (count(*) filter (where status = 'success'))::integer as success,
      (count(*) filter (where status = 'failed'))::integer as failed,
      (count(*) filter (where status = 'cancelled'))::integer as cancelled,
      (count(*) filter (where status in ('pending', 'retrying')))::integer as unfinished,
      percentile_cont(array[0.5, 0.95]) within group (order by latency_ms) filter (where status = 'success') as latencies,
      (select count(*) from newest)::integer as newest,
      (select extract(epoch from min(created_at)) * 1000 from newest)::float8 as "firstMs"
    from counted
    group by grouping sets ((span), ())`);
  const all = rows.find((row) => row.fromSeconds === null);
  const bySpan = new Map(rows.map((row) => [row.fromSeconds, row]));
  const from = new Date(fromSeconds * 1_000);
  const totals = all === undefined ? NONE : toOutcomes(all);
  return {
    period,
    from: toIso(from),
    to: toIso(new Date(toSeconds * 1_000)),
    counted_from: toIso(all !== undefined && all.newest >= MOST_COUNTED ? new Date(all.firstMs) : from),
    totals: { ...totals, success_rate: successRate(totals) },
    spans: Array.from({ length: count }, (_, index) => {
      const spanSeconds = fromSeconds + index * seconds;
      const row = bySpan.get(spanSeconds);
      return { from: toIso(new Date(spanSeconds * 1_000)), ...(row === undefined ? NONE : toOutcomes(row)) };
    }),
  };
}
