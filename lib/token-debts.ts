import { type SQL, sql } from 'drizzle-orm';
import { payouts } from '#drizzle/schema/payouts.ts';
import { investments, moves, projects, tiers } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/base/db.ts';
import { WIRE_TOKEN_DECIMALS } from '#lib/base/money.ts';

/** One token at one distributor: what it holds of it must cover what all its sales owe. */
export interface Purse {
  distributor: string;
  currency: string | null;
  issuer: string | null;
  issuanceId: string | null;
}

export interface TokenDebt extends Purse {
  tokenKind: 'iou' | 'mpt';
  /** Owed, in units of 10^-6 token whatever the decimals of the sales: an exact whole number. */
  micros: bigint;
}

/**
 * What distributors owe of each token: what sales that run, or whose launch is on its way, may still sell; what was sold
 * and waits to be planned (`at_end`); and payouts not validated up to `balanceLedger`, the ledger that showed what the
 * distributors hold. One statement, so that what moves from one of these to the next meanwhile is counted once. With
 * `purse` only that one; `exceptUnsoldOf` leaves out what one sale may still sell. A purse that no sale uses is not there.
 */
export async function readTokenDebts(
  db: Db,
  input: { balanceLedger: number; purse?: Purse; exceptUnsoldOf?: string },
): Promise<TokenDebt[]> {
  const { balanceLedger, purse, exceptUnsoldOf = '' } = input;
  const wanted: SQL =
    purse === undefined
      ? sql`${projects.status} <> 'draft'`
      : sql`${projects.distributor} = ${purse.distributor}
        and ${projects.currency} is not distinct from ${purse.currency}
        and ${projects.issuer} is not distinct from ${purse.issuer}
        and ${projects.issuanceId} is not distinct from ${purse.issuanceId}`;
  const { rows } = await db.execute<Omit<TokenDebt, 'micros'> & { micros: string }>(sql`
    with sale as (
      select ${projects.id}, ${projects.status}, ${projects.distributor}, ${projects.tokenKind} as token_kind,
        ${projects.currency}, ${projects.issuer}, ${projects.issuanceId} as issuance_id,
        10::numeric ^ (${WIRE_TOKEN_DECIMALS}::int - ${projects.decimals}) as scale
      from ${projects} where ${wanted}
    ), debts(project_id, units) as (
      select sale.id, ${tiers.totalUnits} - ${tiers.soldUnits}
      from ${tiers} join sale on sale.id = ${tiers.projectId}
      where sale.id <> ${exceptUnsoldOf} and (sale.status in ('active', 'paused') or exists (
        select from ${moves} where ${moves.projectId} = sale.id and ${moves.move} = 'launch'
          and ${moves.status} in ('submitted', 'seen')))
      union all
      select sale.id, ${investments.totalUnits}
      from ${investments} join sale on sale.id = ${investments.projectId}
      where not ${investments.payoutsPlanned} and ${investments.status} = 'confirmed' and sale.status <> 'cancelled'
      union all
      select sale.id, ${payouts.amount}
      from ${payouts} join sale on sale.id = ${payouts.projectId}
      where ${payouts.kind} = 'distribution' and ${payouts.status} <> 'cancelled'
        and (${payouts.status} <> 'validated' or ${payouts.ledgerIndex} > ${balanceLedger})
    )
    select sale.distributor, sale.token_kind as "tokenKind", sale.currency, sale.issuer,
      sale.issuance_id as "issuanceId", trunc(coalesce(sum(debts.units * sale.scale), 0))::text as micros
    from sale left join debts on debts.project_id = sale.id
    group by 1, 2, 3, 4, 5
    order by 1, 3, 4, 5`);
  return rows.map((row) => ({ ...row, micros: BigInt(row.micros) }));
}
