import { type SQL, sql } from 'drizzle-orm';
import { payouts } from '#drizzle/schema/payouts.ts';
import { investments, payments } from '#drizzle/schema/sale.ts';

/**
 * Drops of an investment that its validated tokens were paid with, rounded down: what unwinding it could still give back
 * is at most the rest (sale/unwind/give-back.ts). `div` is the whole quotient; `/` would round. Needs `investments` and
 * `payments` joined.
 */
export const paidForDrops = (): SQL => sql`div(${payments.investedDrops}::numeric * (
    select coalesce(sum(${payouts.amount}) filter (where ${payouts.kind} = 'distribution' and ${payouts.status} = 'validated'), 0)
    from ${payouts} where ${payouts.investmentId} = ${investments.id}),
    ${investments.totalUnits})`;
