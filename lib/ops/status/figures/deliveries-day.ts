import { type SQL, sql } from 'drizzle-orm';
import { deliveryMinutes } from '#drizzle/schema/health.ts';
import { percentileMs } from './latency.ts';
import type { SystemMetrics } from './schema.ts';

export interface OutcomeCount {
  outcome: (typeof deliveryMinutes.$inferSelect)['outcome'];
  belowMs: number;
  count: number;
}

/** Comes to OutcomeCount[] over the last 24 hours, out of the counted minutes. */
export const outcomesOfDay: SQL = sql`(select coalesce(json_agg(day), '[]') from (
  select outcome, below_ms as "belowMs", sum(attempts) as count from ${deliveryMinutes}
  where minute > now() - interval '24 hours' group by outcome, below_ms) day)`;

/** The figures of a day from its counts. Pure. */
export function deliveriesOfDay(counts: readonly OutcomeCount[]): SystemMetrics['deliveries_24h'] {
  const totalOf = (wanted: OutcomeCount['outcome']) =>
    counts.reduce((sum, { outcome, count }) => (outcome === wanted ? sum + count : sum), 0);
  const delivered = totalOf('delivered');
  const givenUp = totalOf('given_up');
  const ended = delivered + givenUp;
  const latencies = counts.filter(({ outcome }) => outcome === 'delivered');
  return {
    delivered,
    given_up: givenUp,
    failed_attempts: totalOf('retried') + givenUp,
    // Rounded down: a single failure is never rounded away.
    success_ratio: ended === 0 ? null : Math.floor((delivered / ended) * 10_000) / 10_000,
    latency_ms: { p50: percentileMs(latencies, 0.5), p95: percentileMs(latencies, 0.95) },
  };
}
