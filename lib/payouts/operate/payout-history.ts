import { sql } from 'drizzle-orm';
import { payoutAttempts, payouts } from '#drizzle/schema/payouts.ts';
import { depositAccounts, projects } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/base/db.ts';

/** How far the history reaches, and what one entry of it counts. */
export const SPANS = {
  day: { entries: 24, seconds: 3_600 },
  month: { entries: 30, seconds: 86_400 },
} as const;
export type Span = keyof typeof SPANS;

/** One hour or day of payouts, in UTC. */
export interface PayoutPeriod {
  /** Its begin. */
  at: string;
  /** Transactions that have paid, by when they were signed. */
  paid: number;
  /** Transactions that failed or expired, by when they were signed; each has or had another attempt, or its payout waits. */
  unsuccessful: number;
  /** Payouts that are on hold now, by when they were due. */
  held: number;
}

/**
 * Payouts over the last 24 hours or 30 days, the running period last, each with an entry. Every part comes out of an index:
 * paid ones account by account, the others out of partial indexes.
 */
export async function readPayoutHistory(db: Db, span: Span): Promise<PayoutPeriod[]> {
  const { entries, seconds } = SPANS[span];
  const { rows: clock } = await db.execute<{ period: number }>(
    sql`select floor(extract(epoch from now()) / ${seconds}::integer)::integer as period`,
  );
  const newest = clock[0]?.period ?? 0;
  const from = sql`to_timestamp(${(newest - entries + 1) * seconds}::float8)`;
  const { rows } = await db.execute<{ period: number; kind: 'paid' | 'unsuccessful' | 'held'; count: number }>(sql`
    with payers as (
      select distributor as account from ${projects} union select address from ${depositAccounts}
    ), counted as (
      select a.created_at as at, 'paid' as kind from payers
      join ${payoutAttempts} a on a.account = payers.account and a.status = 'validated' and a.created_at >= ${from}
      union all
      select created_at, 'unsuccessful' from ${payoutAttempts}
      where status in ('failed', 'expired') and created_at >= ${from}
      union all
      select due_at, 'held' from ${payouts} where status = 'held' and due_at >= ${from}
    )
    select floor(extract(epoch from at) / ${seconds}::integer)::integer as period, kind, count(*)::integer as count
    from counted group by 1, 2`);
  const byPeriod = Map.groupBy(rows, ({ period }) => period);
  return Array.from({ length: entries }, (_, index) => {
    const period = newest - entries + 1 + index;
    const counts = byPeriod.get(period) ?? [];
    const total = (wanted: string) => counts.find(({ kind }) => kind === wanted)?.count ?? 0;
    return {
      at: new Date(period * seconds * 1_000).toISOString(),
      paid: total('paid'),
      unsuccessful: total('unsuccessful'),
      held: total('held'),
    };
  });
}
