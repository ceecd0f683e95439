import type { AllocationRow } from '@tranche/verifier/published.ts';
import { type SQL, sql } from 'drizzle-orm';
import { allocations, investments, tiers } from '#drizzle/schema/sale.ts';
import { textArray } from '#lib/base/bulk.ts';
import type { Db } from '#lib/base/db.ts';
import { formatDrops, formatPrice, formatUnits } from '#lib/base/money.ts';
import type { ProjectRow } from '../projects/project-resource.ts';
import { comparePlaces, type Decided } from '../published/decision-windows.ts';

interface Row extends Record<string, unknown> {
  investment_id: string;
  tx_hash: string;
  investor_account: string;
  tier: number;
  price: string;
  amount_drops: string;
  units: string;
  confirmed_at: string;
  decided_at: string;
}

const utc = (at: SQL): SQL => sql`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * The allocations of decided payments, in the order of the decisions: an allocation stands in its payment's place, that of an
 * assigned payment in the place of the move that assigned it. When it was decided is what was written then, and not taken
 * from that place: a place that is published falsely does not agree with it. Rows up to a confirmed ledger never change: the reads of one
 * export need no common snapshot.
 */
export async function readAllocationsOf(
  db: Db,
  project: Pick<ProjectRow, 'id' | 'decimals'>,
  decided: ReadonlyMap<string, Decided>,
): Promise<AllocationRow[]> {
  const { rows } = await db.execute<Row>(sql`
    select i.id as investment_id, i.tx_hash, i.investor_account, a.tier, t.price::text, a.amount_drops::text,
      a.units::text, ${utc(sql`i.confirmed_at`)} as confirmed_at,
      ${utc(sql`coalesce(i.decided_at, i.confirmed_at)`)} as decided_at
    from ${investments} i
    join ${allocations} a on a.investment_id = i.id
    join ${tiers} t on t.project_id = a.project_id and t.tier = a.tier
    where i.tx_hash = any (${textArray([...decided.keys()])}) and i.project_id = ${project.id}`);
  const placed = rows.flatMap((row) => {
    const place = decided.get(row.tx_hash);
    return place === undefined ? [] : [{ row, place }];
  });
  placed.sort((a, b) => comparePlaces(a.place, b.place) || a.row.tier - b.row.tier);
  return placed.map(({ row, place }) => ({
    investment_id: row.investment_id,
    transaction_hash: row.tx_hash,
    ledger_index: place.ledgerIndex,
    transaction_index: place.transactionIndex,
    investor_account: row.investor_account,
    tier: row.tier,
    price_per_token: formatPrice(BigInt(row.price)),
    amount_xrp: formatDrops(BigInt(row.amount_drops)),
    tokens: formatUnits(BigInt(row.units), project.decimals),
    assigned_by: place.assignedBy,
    confirmed_at: row.confirmed_at,
    decided_at: row.decided_at,
  }));
}
