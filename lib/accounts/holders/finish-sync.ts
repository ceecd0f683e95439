import { exactText, parseExact, ratioHalfUp } from '@tranche/rules/exact-decimal.ts';
import { and, desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { holderPages, holderSyncs, holdersByAccount, holdersByRank } from '#drizzle/schema/holders.ts';
import { textArray } from '#lib/base/bulk.ts';
import { toIso } from '#lib/base/clock.ts';
import type { Db } from '#lib/base/db.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { LedgerToken } from '#lib/xrpl/token.ts';
import type { distribution, statistics } from './contracts.ts';
import { excludedAccounts } from './tokens.ts';

/** Decimals of every share and of the Gini coefficient. */
const RATIO_DIGITS = 6;

/** The part of `supply` that `balance` is, both in tokens, to six decimals, a half rounded up. Supply is above zero. */
export const shareOf = (balance: string, supply: string): number =>
  ratioHalfUp(parseExact(balance), parseExact(supply), RATIO_DIGITS);

type Distribution = z.output<typeof distribution>;

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
 * fraction is rounded once, a half up, to six decimals. Null where there are no balances.
 */
export async function readDistribution(db: Db, syncId: string): Promise<Distribution & { holders: number }> {
  const { rows } = await db.execute<Row>(sql`
    with counted as (
      select first_position, balances, min_balance, balance_sum, position_balance_sum
      from ${holdersByRank} where sync_id = ${syncId} and first_position > 0),
    whole as (
      select coalesce(sum(balance_sum), 0) as supply, coalesce(sum(position_balance_sum), 0) as weighted, coalesce((
        select first_position + cardinality(balances) - 1 from counted order by first_position desc limit 1), 0) as holders
      from counted),
    aside as (
      select coalesce(sum(cardinality(balances)), 0)::integer as accounts, coalesce(sum(balance_sum), 0) as balance
      from ${holdersByRank} where sync_id = ${syncId} and first_position = 0)
    select holders, supply, ${sumOfFirst(10)} as top_10, ${sumOfFirst(100)} as top_100,
      0.5 * (${balanceAt(sql`(holders + 1) / 2`)} + ${balanceAt(sql`holders / 2 + 1`)}) as median,
      (holders + 1) * supply - 2 * weighted as gini_part, holders * supply as gini_whole,
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
  where first_position <= ${count}::integer and first_position + h.n - 1 <= ${count}::integer)`;

/** 0 where there is none. */
const balanceAt = (position: SQL): SQL => sql`coalesce((
  select balances[${position} - first_position + 1] from counted where first_position <= ${position} order by first_position desc limit 1), 0)`;

/** How many have less than each step's end: whoever comes after all that have as much. */
const countsBelow = (): SQL =>
  sql.join(
    STEPS.map(
      (end) => sql`coalesce((
        select holders - first_position + 1 - (select count(*)::integer from unnest(balances) as h(balance) where h.balance >= ${sql.raw(end)})
        from counted where min_balance < ${sql.raw(end)} order by first_position limit 1), 0)`,
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

/** Few enough that a row is read at once, many enough that rows and index entries cost next to nothing. */
const HOLDERS_A_ROW = 500;

/**
 * Sorts the holders that the pages of a synchronisation have, `excluded` accounts aside, and writes them in one statement,
 * once. False when it is not running any more: then nothing is written. Throws when an account came twice: its row then has
 * no first position, which the table refuses.
 */
export const sortByRank = (db: Db, syncId: string, excluded: readonly string[]): Promise<boolean> =>
  writeOnce(db, syncId, {
    written: sql`select from ${holdersByRank} where sync_id = ${syncId}`,
    insert: sql`
    insert into ${holdersByRank} (sync_id, first_position, accounts, balances, min_balance, balance_sum, position_balance_sum)
    select ${syncId}, case when not bool_or(came_twice) then coalesce(part * ${HOLDERS_A_ROW} + 1, 0) end,
      array_agg(account order by position), array_agg(balance order by position),
      min(balance), sum(balance), sum(balance * position)
    from (
      select account, balance, position, came_twice, case when counted is not null then (position - 1) / ${HOLDERS_A_ROW} end as part
      from (
        select account, balance, counted, (row_number() over ranked)::integer as position,
          coalesce(account = lag(account) over ranked, false) as came_twice
        from (
          select h.account, h.balance, case when h.account = any(${textArray(excluded)}) then null else h.balance end as counted
          from running join ${holderPages} as p on p.sync_id = running.id,
            unnest(p.accounts, p.balances) as h(account, balance)) as held
        window ranked as (order by counted desc nulls last, account collate "C" desc)) as weighted) as parted
    group by part`,
  });

/**
 * Sorts the same by the end of the account, so that a row has some thousand accounts at most, in one statement, once; with
 * the same answer.
 */
export const sortByAccount = (db: Db, syncId: string): Promise<boolean> =>
  writeOnce(db, syncId, {
    written: sql`select from ${holdersByAccount} where sync_id = ${syncId}`,
    insert: sql`
    insert into ${holdersByAccount} (sync_id, ending, accounts, balances)
    select ${syncId}, ending, array_agg(account), array_agg(balance)
    from (
      select h.account, h.balance, right(h.account, case when running.holders <= 200000 then 1
        when running.holders <= 10000000 then 2 else 3 end) collate "C" as ending
      from running join ${holderPages} as p on p.sync_id = running.id, unnest(p.accounts, p.balances) as h(account, balance)
      order by ending) as held
    group by ending`,
  });

/** Shares its row until the end of the statement: who abandons it waits, and what is written then is found and removed. */
async function writeOnce(db: Db, syncId: string, { written, insert }: { written: SQL; insert: SQL }): Promise<boolean> {
  const { rows } = await db.execute<{ id: string }>(sql`
    with asked as (
      select id, holders, exists (${written}) as is_done from ${holderSyncs}
      where id = ${syncId} and status = 'running' for share),
    running as (select id, holders from asked where not is_done),
    written as (${insert})
    select id from asked`);
  return rows.length === 1;
}

/** A synchronisation as its row has it. */
export type Sync = typeof holderSyncs.$inferSelect;
type Statistics = z.output<typeof statistics>;
type Completed = Sync & { completedAt: Date };

/**
 * Makes a synchronisation that has been read whole the token's snapshot: its holders are sorted by rank, who counts as none
 * aside, and by account; the statistics are computed, and one statement shows it to readers. What has been sorted stays
 * sorted: after a failure it goes on from there. Null, and nothing is shown, when it is not running any more.
 */
export async function finishSync(ctx: Ctx, token: LedgerToken, { id, token: name }: Sync): Promise<Sync | null> {
  const { db } = ctx;
  const [excluded, before] = await Promise.all([excludedAccounts(db, token), readLatest(db, name)]);
  // On two connections: on a server of several cores the second comes at no time.
  const [isRanked, added] = await Promise.all([
    sortByRank(db, id, excluded),
    sortByAccount(db, id).then(() => (before === null ? null : countAdded(db, { id, excluded }, before.id))),
  ]);
  if (!isRanked) return null;
  // Its holders are neither written nor removed any more: should another run abandon it now, nothing is shown below.
  const { holders, ...distribution } = await readDistribution(db, id);
  const change = before === null || added === null ? null : changeSince(before, holders, added);
  const [done] = await db
    .update(holderSyncs)
    .set({
      status: 'complete',
      completedAt: new Date(Math.max(ctx.clock.nowMs(), (before?.completedAt.getTime() ?? 0) + 1)),
      holders,
      added: change?.added ?? null,
      removed: change?.removed ?? null,
      statistics: { ...distribution, change } satisfies Statistics,
    })
    .where(and(eq(holderSyncs.id, id), eq(holderSyncs.status, 'running')))
    .returning(getTableColumns(holderSyncs));
  return done ?? null;
}

async function readLatest(db: Db, token: string): Promise<Completed | null> {
  const [latest] = await db
    .select()
    .from(holderSyncs)
    .where(and(eq(holderSyncs.token, token), eq(holderSyncs.status, 'complete')))
    .orderBy(desc(holderSyncs.completedAt))
    .limit(1);
  return latest === undefined || latest.completedAt === null ? null : { ...latest, completedAt: latest.completedAt };
}

/** Who held before and holds still is neither added nor removed. */
function changeSince(before: Completed, holders: number, added: number): NonNullable<Statistics['change']> {
  const difference = holders - before.holders;
  return {
    since: toIso(before.completedAt),
    ledger_index: before.ledgerIndex,
    holders: difference,
    added,
    removed: added - difference,
  };
}

/**
 * Holders among a synchronisation's pages that the snapshot before does not have. A difference of sets, not a join: of a
 * synchronisation that it has never seen the planner expects next to nothing, and would join in quadratic time.
 */
async function countAdded(
  db: Db,
  { id, excluded }: { id: string; excluded: readonly string[] },
  beforeId: string,
): Promise<number> {
  const { rows } = await db.execute<{ added: number }>(sql`
    select count(*)::integer as added from (
      select h.account from ${holderPages} as p, unnest(p.accounts) as h(account)
      where p.sync_id = ${id} and h.account <> all(${textArray(excluded)})
      except
      select h.account from ${holdersByRank} as r, unnest(r.accounts) as h(account)
      where r.sync_id = ${beforeId} and r.first_position > 0) as accounts`);
  return rows[0]?.added ?? 0;
}
