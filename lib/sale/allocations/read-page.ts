import { sql } from 'drizzle-orm';
import { allocations, investments, moves, payments, tiers } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/platform/db.ts';
import { formatDrops, formatPrice, formatUnits } from '#lib/platform/money.ts';
import type { ProjectRow } from '../projects/project-resource.ts';
import type { AllocationRow } from './contracts.ts';
import type { AllocationPlace } from './place.ts';

interface Row extends Record<string, unknown> {
  investment_id: string;
  tx_hash: string;
  ledger_index: string;
  transaction_index: number;
  investor_account: string;
  tier: number;
  price: string;
  amount_drops: string;
  units: string;
  assigned_by: string | null;
  confirmed_at: string;
}

/**
 * The next `limit` allocations of a project after a place, up to and with ledger `asOf`, in feed order. An allocation
 * stands in its payment's place; that of an assigned payment in the place of the move that assigned it. Rows up to a
 * confirmed ledger never change: the reads of one export need no common snapshot.
 */
export async function readPage(
  db: Db,
  project: Pick<ProjectRow, 'id' | 'depositAddress' | 'decimals'>,
  { asOf, after, limit }: { asOf: number; after: AllocationPlace; limit: number },
): Promise<AllocationRow[]> {
  const assigned = sql`m.account = ${project.depositAddress} and m.project_id = ${project.id} and m.move = 'assign'
    and m.status = 'applied'`;
  const columns = sql`i.id as investment_id, i.tx_hash, i.investor_account, i.confirmed_at, a.tier, a.amount_drops, a.units`;
  const bought = sql`join ${allocations} a on a.investment_id = i.id`;
  const place = sql`(${after.ledgerIndex}::bigint, ${after.transactionIndex}::integer)`;
  // The first comparison is what an index can seek, the second what makes it exact.
  const between = (alias: 'p' | 'm') => {
    const at = sql.raw(`${alias}.ledger_index, ${alias}.transaction_index`);
    return sql`(${at}) >= ${place} and (${at}, a.tier) > (${after.ledgerIndex}::bigint,
      ${after.transactionIndex}::integer, ${after.tier}::integer) and ${sql.raw(alias)}.ledger_index <= ${asOf}::bigint`;
  };
  const ordered = sql`order by ledger_index, transaction_index, tier limit ${limit}`;
  const { rows } = await db.execute<Row>(sql`
    select page.investment_id, page.tx_hash, page.ledger_index::text, page.transaction_index, page.investor_account,
      page.tier, t.price::text, page.amount_drops::text, page.units::text, page.assigned_by,
      to_char(page.confirmed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as confirmed_at
    from (
      (select ${columns}, p.ledger_index, p.transaction_index, null as assigned_by
        from ${payments} p join ${investments} i on i.tx_hash = p.tx_hash ${bought}
        where p.account = ${project.depositAddress} and p.project_id = ${project.id} and ${between('p')}
          and p.tx_hash not in (select m.payment_hash from ${moves} m where ${assigned} and m.payment_hash is not null)
        ${ordered})
      union all
      (select ${columns}, m.ledger_index, m.transaction_index, m.tx_hash as assigned_by
        from ${moves} m join ${investments} i on i.tx_hash = m.payment_hash ${bought}
        where ${assigned} and ${between('m')}
        ${ordered})
      ${ordered}
    ) as page
    join ${tiers} t on t.project_id = ${project.id} and t.tier = page.tier
    order by page.ledger_index, page.transaction_index, page.tier`);
  return rows.map((row) => ({
    investment_id: row.investment_id,
    transaction_hash: row.tx_hash,
    ledger_index: Number(row.ledger_index),
    transaction_index: row.transaction_index,
    investor_account: row.investor_account,
    tier: row.tier,
    price_per_token: formatPrice(BigInt(row.price)),
    amount_xrp: formatDrops(BigInt(row.amount_drops)),
    tokens: formatUnits(BigInt(row.units), project.decimals),
    assigned_by: row.assigned_by,
    confirmed_at: row.confirmed_at,
  }));
}
