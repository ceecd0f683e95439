import { sql } from 'drizzle-orm';
import { deliveryMinutes } from '#drizzle/schema/health.ts';
import type { Db } from '#lib/base/db.ts';
import { percentileMs } from './delivery-minutes.ts';

const HOURS = 24;

/** Webhook deliveries of one hour; an attempt counts in the hour in which it began. */
export interface DeliveryHour {
  /** Begin of the hour. */
  at: string;
  delivered: number;
  givenUp: number;
  /** Attempts that failed and were followed by another. */
  retried: number;
  p50Ms: number | null;
  p95Ms: number | null;
}

/** The last 24 hours, the running one last, each with an entry; out of the counted minutes, so that no attempt is read. */
export async function readDeliveryHistory(db: Db): Promise<DeliveryHour[]> {
  const { rows } = await db.execute<{ hour: number; outcome: string; below_ms: number; count: number }>(sql`
    select floor(extract(epoch from minute) / 3600)::integer as hour, outcome, below_ms, sum(attempts)::integer as count
    from ${deliveryMinutes}
    where minute >= date_trunc('hour', now()) - make_interval(hours => ${HOURS - 1}::integer)
    group by 1, 2, 3`);
  const { rows: clock } = await db.execute<{ hour: number }>(
    sql`select floor(extract(epoch from now()) / 3600)::integer as hour`,
  );
  const newest = clock[0]?.hour ?? 0;
  const byHour = Map.groupBy(rows, ({ hour }) => hour);
  return Array.from({ length: HOURS }, (_, index) => {
    const hour = newest - HOURS + 1 + index;
    const counts = byHour.get(hour) ?? [];
    const total = (wanted: string) =>
      counts.reduce((sum, { outcome, count }) => (outcome === wanted ? sum + count : sum), 0);
    const latencies = counts
      .filter(({ outcome }) => outcome === 'delivered')
      .map(({ below_ms: belowMs, count }) => ({ belowMs, count }));
    return {
      at: new Date(hour * 3_600_000).toISOString(),
      delivered: total('delivered'),
      givenUp: total('given_up'),
      retried: total('retried'),
      p50Ms: percentileMs(latencies, 0.5),
      p95Ms: percentileMs(latencies, 0.95),
    };
  });
}
