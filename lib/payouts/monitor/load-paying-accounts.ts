import { sql } from 'drizzle-orm';
import { payouts } from '#drizzle/schema/payouts.ts';
import { payments, projects } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/base/db.ts';
import type { Drops } from '#lib/base/money.ts';

/** An account that pays for sales which are no drafts, with what the books say it owes. */
export interface PayingAccount {
  address: string;
  roles: ('deposit' | 'distributor')[];
  /** A sale that takes payments to this account, or pays out from it, is active or paused. */
  selling: boolean;
  /** XRP that is not paid back or released yet, what is held included. */
  owedDrops: Drops;
  /** Payouts still to be made from it, whatever they wait for: each costs a fee and uses a ticket. */
  outstanding: number;
}

/** Every one of them, by address. */
export async function loadPayingAccounts(db: Db): Promise<PayingAccount[]> {
  const { rows } = await db.execute<Omit<PayingAccount, 'owedDrops'> & { owedDrops: string }>(sql`
    with paying as (
      select address, array_agg(distinct role order by role) as roles, bool_or(selling) as selling
      from (
        select ${projects.depositAddress} as address, 'deposit' as role,
          ${projects.status} in ('active', 'paused') as selling
        from ${projects} where ${projects.status} <> 'draft'
        union all
        select ${projects.distributor}, 'distributor', ${projects.status} in ('active', 'paused')
        from ${projects} where ${projects.status} <> 'draft'
      ) as roles
      group by address
    ), unpaid as (
      select ${payouts.account}, count(*)::int as outstanding,
        sum(${payouts.amount}) filter (where ${payouts.kind} <> 'distribution') as drops
      from ${payouts}
      where ${payouts.status} in ('scheduled', 'waiting_holder', 'ready', 'submitted', 'held')
      group by 1
    ), held as (
      select ${payments.account}, sum(${payments.heldDrops}) as drops
      from ${payments} where ${payments.heldDrops} > 0
      group by 1
    )
    select paying.address, to_json(paying.roles) as roles, paying.selling,
      coalesce(unpaid.outstanding, 0) as outstanding,
      (coalesce(unpaid.drops, 0) + coalesce(held.drops, 0))::text as "owedDrops"
    from paying
    left join unpaid on unpaid.account = paying.address
    left join held on held.account = paying.address
    order by paying.address`);
  return rows.map((row) => ({ ...row, owedDrops: BigInt(row.owedDrops) }));
}
