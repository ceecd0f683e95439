import { sql } from 'drizzle-orm';
import type { Db } from '#lib/base/db.ts';
import { START_MS } from './ctx.ts';
import { DEPOSIT, START_LEDGER } from './sale.ts';

/** Payments of a ledger among those that `seedAllocations` writes. */
const PER_LEDGER = 100;

/**
 * `count` decided payments to a sale with tiers 1 and 2, written straight into the database, from ledger `after + 1` on:
 * every tenth in both tiers. Everything up to the last one's ledger, which is returned, is confirmed.
 */
export async function seedAllocations(
  db: Db,
  projectId: string,
  count: number,
  { after = START_LEDGER, account = DEPOSIT }: { after?: number; account?: string } = {},
): Promise<number> {
  const lastLedger = after + Math.ceil(count / PER_LEDGER);
  // Rows are not written in the order of the ledger: (place * 77) mod count visits each place once when it is no factor.
  const given = sql`(select g, ${after}::bigint + 1 + g / ${PER_LEDGER}::integer as ledger, g % ${PER_LEDGER}::integer as place,
      upper(lpad(to_hex(${after}::integer * 1000000 + g), 64, '0')) as hash,
      'inv_' || lpad((${after}::bigint * 1000000 + g)::text, 22, '0') as id, 'rWallet' || (g % 9000) as wallet,
      ${new Date(START_MS).toISOString()}::timestamptz + (g / ${PER_LEDGER}::integer) * interval '4 seconds' as closed,
      case when g % 10 = 0 then 2 else 1 end as parts
    from (select (n::bigint * 77 % ${count}::bigint)::integer as g from generate_series(0, ${count - 1}::integer) as n) as places)
    as given`;
  await db.transaction(async (tx) => {
    await tx.execute(sql`
      insert into payments (tx_hash, account, ledger_index, transaction_index, closed_at, sender, received_drops,
        project_id, destination_tag, outcome, invested_drops)
      select hash, ${account}, ledger, place, closed, wallet, 1000000 * parts, ${projectId},
        (select destination_tag from projects where id = ${projectId}), 'invested', 1000000 * parts from ${given}`);
    await tx.execute(sql`
      insert into investments (id, tx_hash, project_id, investor_account, amount_drops, status, quote_tier, quote_price,
        quote_units, confirmed_drops, total_units, units_to_distribute, rounding_drops, paid_at, confirmed_at)
      select id, hash, ${projectId}, wallet, 1000000 * parts, 'confirmed', 1, 100000000000, 10000000, 1000000 * parts,
        10000000 * parts, 10000000 * parts, 0, closed, closed from ${given}`);
    await tx.execute(sql`
      insert into allocations (investment_id, project_id, tier, investor_account, amount_drops, units)
      select id, ${projectId}, part, wallet, 1000000, 10000000 / part from ${given}, generate_series(1, parts) as part`);
    await tx.execute(sql`
      update deposit_accounts set confirmed_ledger = ${lastLedger}, cursor_ledger = greatest(cursor_ledger, ${lastLedger})
      where address = ${account}`);
    await tx.execute(sql`
      update projects set raised_drops = raised_drops + (
        select sum(1000000 * parts) from ${given}) where id = ${projectId}`);
  });
  await db.execute(sql`analyze`);
  return lastLedger;
}
