import { exactText, parseExact, ratioHalfUp } from '@tranche/rules/exact-decimal.ts';
import { type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { holdersByRank } from '#drizzle/schema/holders.ts';
import type { Db } from '#lib/base/db.ts';
import type { distribution } from './schemas.ts';
import { RATIO_DIGITS } from './share.ts';

export type Distribution = z.output<typeof distribution>;

/** Tokens at which one step of the histogram ends and the next begins. */
const STEPS = ['1', '10', '100', '1000', '10000', '100000', '1000000'] as const;

type Row = {
  holders: number;
  supply: string;
  top_10: string;
  top_100: string;
  median: string;
  /** With balances descending and numbered from 1: (holders + 1) × supply − 2 × Σ(number × balance). */
  gini_part: string;
  gini_whole: string;
  below: number[];
  excluded_accounts: number;
  excluded_balance: string;
};

/**
 * How a synchronisation's balances are spread over its holders, in one statement. Every sum is a `numeric`, and so exact; a
 * fraction is rounded once, a half up, to six decimals. Null stands for what nobody's balances have.
 */
export async function readDistribution(db: Db, syncId: string): Promise<Distribution & { holders: number }> {
  const { rows } = await db.execute<Row>(sql`
    with counted as (
      select first_place, balances, least_balance, balance_sum, placed_sum
      from ${holdersByRank} where sync_id = ${syncId} and first_place > 0),
    whole as (
      select coalesce(sum(balance_sum), 0) as supply, coalesce(sum(placed_sum), 0) as placed, coalesce((
        select first_place + cardinality(balances) - 1 from counted order by first_place desc limit 1), 0) as holders
      from counted),
    aside as (
      select coalesce(sum(cardinality(balances)), 0)::integer as accounts, coalesce(sum(balance_sum), 0) as balance
      from ${holdersByRank} where sync_id = ${syncId} and first_place = 0)
    select holders, supply, ${sumOfFirst(10)} as top_10, ${sumOfFirst(100)} as top_100,
      0.5 * (${balanceAt(sql`(holders + 1) / 2`)} + ${balanceAt(sql`holders / 2 + 1`)}) as median,
      (holders + 1) * supply - 2 * placed as gini_part, holders * supply as gini_whole,
      array[${countsBelow()}] as below,
      (select accounts from aside) as excluded_accounts, (select balance from aside) as excluded_balance
    from whole`);
  const [row] = rows;
  if (row === undefined) throw new Error('An aggregate gave no row');
  return toDistribution(row);
}

/** What the largest so many have together. */
const sumOfFirst = (count: number): SQL => sql`(
  select coalesce(sum(h.balance), 0) from counted, unnest(balances) with ordinality as h(balance, n)
  where first_place <= ${count}::integer and first_place + h.n - 1 <= ${count}::integer)`;

/** 0 where nobody is. */
const balanceAt = (place: SQL): SQL => sql`coalesce((
  select balances[${place} - first_place + 1] from counted where first_place <= ${place} order by first_place desc limit 1), 0)`;

/** How many have less than each step's end: whoever comes after all that have as much. */
const countsBelow = (): SQL =>
  sql.join(
    STEPS.map(
      (end) => sql`coalesce((
        select holders - first_place + 1 - (select count(*)::integer from unnest(balances) as h(balance) where h.balance >= ${sql.raw(end)})
        from counted where least_balance < ${sql.raw(end)} order by first_place limit 1), 0)`,
    ),
    sql`, `,
  );

function toDistribution(row: Row): Distribution & { holders: number } {
  const isNobody = row.holders === 0;
  const ratio = (part: string, whole: string): number | null =>
    isNobody ? null : ratioHalfUp(parseExact(part), parseExact(whole), RATIO_DIGITS);
  return {
    holders: row.holders,
    supply: exactText(row.supply),
    excluded: { accounts: row.excluded_accounts, balance: exactText(row.excluded_balance) },
    top_10_share: ratio(row.top_10, row.supply),
    top_100_share: ratio(row.top_100, row.supply),
    gini: ratio(row.gini_part, row.gini_whole),
    median: isNobody ? null : exactText(row.median),
    histogram: [...row.below, row.holders].map((below, step) => ({
      from: exactText(STEPS[step - 1] ?? '0'),
      to: STEPS[step] === undefined ? null : exactText(STEPS[step]),
      holders: below - (row.below[step - 1] ?? 0),
    })),
  };
}
