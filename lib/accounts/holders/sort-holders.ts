import { type SQL, sql } from 'drizzle-orm';
import { holderPages, holderSyncs, holdersByAccount, holdersByRank } from '#drizzle/schema/holders.ts';
import { textArray } from '#lib/base/bulk.ts';
import type { Db } from '#lib/base/db.ts';

/** Few enough that a row is read at once, many enough that rows and index entries cost next to nothing. */
const HOLDERS_A_ROW = 500;

/**
 * Sorts the holders that the pages of a synchronisation have, `excluded` accounts aside, and writes them in one statement,
 * once. False when it is not running any more: then nothing is written. Throws when an account came twice: its row then has
 * no first place, which the table refuses.
 */
export const sortByRank = (db: Db, syncId: string, excluded: readonly string[]): Promise<boolean> =>
  writeOnce(db, syncId, {
    written: sql`select from ${holdersByRank} where sync_id = ${syncId}`,
    insert: sql`
    insert into ${holdersByRank} (sync_id, first_place, accounts, balances, least_balance, balance_sum, placed_sum)
    select ${syncId}, case when not bool_or(came_twice) then coalesce(part * ${HOLDERS_A_ROW} + 1, 0) end,
      array_agg(account order by place), array_agg(balance order by place),
      min(balance), sum(balance), sum(balance * place)
    from (
      select account, balance, place, came_twice, case when counted is not null then (place - 1) / ${HOLDERS_A_ROW} end as part
      from (
        select account, balance, counted, (row_number() over ranked)::integer as place,
          coalesce(account = lag(account) over ranked, false) as came_twice
        from (
          select h.account, h.balance, case when h.account = any(${textArray(excluded)}) then null else h.balance end as counted
          from running join ${holderPages} as p on p.sync_id = running.id,
            unnest(p.accounts, p.balances) as h(account, balance)) as held
        window ranked as (order by counted desc nulls last, account collate "C" desc)) as placed) as parted
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
