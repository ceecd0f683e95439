import { sql } from 'drizzle-orm';
import { payouts } from '#drizzle/schema/payouts.ts';
import { investments, moves, projects, tiers } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/platform/db.ts';
import type { TokenUnits } from '#lib/platform/money.ts';
import type { ProjectRow } from '../projects/project-resource.ts';

/**
 * Units of the row's token that its distributor owes already, rounded up to the row's decimals: what other sales that run,
 * or whose launch is on its way, may still sell; what was sold and waits to be planned (`at_end`); and payouts not
 * validated up to `balanceLedger`, the ledger that showed what the distributor holds. One statement, so that what moves
 * from one of these to the next meanwhile is counted once.
 */
export async function owedByDistributor(db: Db, row: ProjectRow, balanceLedger: number): Promise<TokenUnits> {
  const { rows } = await db.execute<{ units: string }>(sql`
    with purse as (
      select ${projects.id}, ${projects.status}, 10::numeric ^ (${row.decimals}::int - ${projects.decimals}) as scale
      from ${projects}
      where ${projects.distributor} = ${row.distributor}
        and ${projects.currency} is not distinct from ${row.currency}
        and ${projects.issuer} is not distinct from ${row.issuer}
        and ${projects.issuanceId} is not distinct from ${row.issuanceId}
    ), debts(units) as (
      select (${tiers.totalUnits} - ${tiers.soldUnits}) * purse.scale
      from ${tiers} join purse on purse.id = ${tiers.projectId}
      where purse.id <> ${row.id} and (purse.status in ('active', 'paused') or exists (
        select from ${moves} where ${moves.projectId} = purse.id and ${moves.move} = 'launch'
          and ${moves.status} in ('submitted', 'seen')))
      union all
      select ${investments.totalUnits} * purse.scale
      from ${investments} join purse on purse.id = ${investments.projectId}
      where not ${investments.payoutsPlanned} and ${investments.status} = 'confirmed' and purse.status <> 'cancelled'
      union all
      select ${payouts.amount} * purse.scale
      from ${payouts} join purse on purse.id = ${payouts.projectId}
      where ${payouts.kind} = 'distribution' and ${payouts.status} <> 'cancelled'
        and (${payouts.status} <> 'validated' or ${payouts.ledgerIndex} > ${balanceLedger})
    )
    select ceil(coalesce(sum(units), 0))::text as units from debts`);
  return BigInt(rows[0]?.units ?? 0);
}
