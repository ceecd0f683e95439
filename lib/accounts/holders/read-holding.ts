import { exactText } from '@tranche/rules/exact-decimal.ts';
import { sql } from 'drizzle-orm';
import { holderSyncs, holdersByAccount, holdersByRank } from '#drizzle/schema/holders.ts';
import type { Db } from '#lib/base/db.ts';
import { type LedgerToken, tokenName } from '#lib/xrpl/token.ts';
import { shareOf } from './finish-sync.ts';

/** What a wallet holds of a token by its latest snapshot. */
export interface Holding {
  /** In tokens, exact, with six decimals or more; compare with `compareExact`. "0.000000" for who holds nothing. */
  balance: string;
  /** 1 for the largest; as many as hold equally much share a rank. Null for who holds nothing or is excluded. */
  rank: number | null;
  /** Of what all holders have, 0 to 1; 0 for who holds nothing or is excluded. */
  share: number;
  /** It holds supply that is not in circulation, and counts as no holder. */
  excluded: boolean;
  ledgerIndex: number;
  syncedAt: Date;
}

type Row = {
  ledger_index: number;
  synced_at: string;
  supply: string;
  balance: string | null;
  excluded: boolean | null;
  rank: number | null;
};

/**
 * What `wallet` (a classic address) holds of `token`, in one statement that reads a row of holders or two. Null while the token has no snapshot:
 * who holds nothing has a holding of zero.
 */
export async function readHolding(db: Db, token: LedgerToken, wallet: string): Promise<Holding | null> {
  const { rows } = await db.execute<Row>(sql`
    with latest as (
      select id, ledger_index, completed_at, statistics ->> 'supply' as supply from ${holderSyncs}
      where token = ${tokenName(token)} and status = 'complete' order by completed_at desc limit 1),
    held as (
      select l.id as sync_id, a.balances[array_position(a.accounts, ${wallet})] as balance
      from latest as l join ${holdersByAccount} as a on a.sync_id = l.id
      where a.ending in (right(${wallet}, 1), right(${wallet}, 2), right(${wallet}, 3)))
    select l.ledger_index::float8 as ledger_index, l.completed_at::text as synced_at, l.supply, b.balance,
      case when not b.excluded then (
        select r.first_position + array_position(r.balances, b.balance) - 1 from ${holdersByRank} as r
        where r.sync_id = l.id and r.first_position > 0 and r.min_balance <= b.balance
        order by r.first_position limit 1) end as rank, b.excluded
    from latest as l left join (
      select h.balance, exists (
        select from ${holdersByRank} as r where r.sync_id = h.sync_id and r.first_position = 0 and ${wallet} = any(r.accounts)
      ) as excluded
      from held as h where h.balance is not null) as b on true`);
  const [row] = rows;
  if (row === undefined) return null;
  const { balance, rank } = row;
  return {
    balance: exactText(balance ?? '0'),
    rank,
    share: balance === null || rank === null ? 0 : shareOf(balance, row.supply),
    excluded: row.excluded ?? false,
    ledgerIndex: row.ledger_index,
    syncedAt: new Date(row.synced_at),
  };
}
