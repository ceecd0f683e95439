import { FIRST_VESTING_PART } from '@tranche/rules/locks.ts';
import { type SQL, sql } from 'drizzle-orm';
import { payouts } from '#drizzle/schema/payouts.ts';
import { actions, investments, projects, tiers } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/base/db.ts';
import { WIRE_TOKEN_DECIMALS } from '#lib/base/money.ts';

/** One token at one distributor: what it holds of it must cover what all its sales owe. */
export interface DistributorToken {
  distributor: string;
  currency: string | null;
  issuer: string | null;
  issuanceId: string | null;
}

export interface TokenLiability extends DistributorToken {
  tokenKind: 'iou' | 'mpt';
  /** Obligation, in units of 10^-6 token for sales of any decimals: an exact whole number. */
  micros: bigint;
}

/** The ledger that showed what the distributors hold, or one before it. */
export interface BalanceLedger {
  validatedIndex: number;
  validatedAtMs: number;
}

/**
 * What vesting has put in escrow counts no more so long before it can come back: anybody may end the escrow then, and what the
 * distributor holds may be read a while after the ledger that is given.
 */
const BEFORE_UNLOCK = sql`interval '5 minutes'`;

/** The unlock of the lock of the row: it is under way, or what it gives back is in no balance of that ledger yet. */
const isEnding = (balanceLedger: number): SQL => sql`exists (select from ${payouts} as ends
  where ends.kind = 'unlock' and ends.project_id = ${payouts.projectId} and ends.part = ${payouts.part}
    and (ends.status in ('scheduled', 'waiting_holder', 'ready', 'submitted')
      or (ends.status = 'validated' and ends.ledger_index > ${balanceLedger})))`;

/**
 * What distributors owe of each token from what they hold: what sales that run, or whose launch is on its way, may still sell; what was sold
 * and waits to be planned (`at_end`); unsold tokens that are to be put in escrow; and distributions not validated up to `shownBy`, less what is in
 * escrow for those of the same day of the same sale. One statement, so that what moves from one of these to the next meanwhile is counted once. With
 * `distributorToken` only that one; `exceptUnsoldOf` leaves out what one sale may still sell. `withEnding` counts an escrow until its unlock is
 * validated: for reports of what a distributor lacks, never where tokens are given away, because somebody may have ended it already. A
 * distributorToken that no sale uses is not there.
 */
export async function readTokenLiabilities(
  db: Db,
  input: { shownBy: BalanceLedger; distributorToken?: DistributorToken; exceptUnsoldOf?: string; withEnding?: boolean },
): Promise<TokenLiability[]> {
  const { shownBy, distributorToken, exceptUnsoldOf = '', withEnding = false } = input;
  const { validatedIndex: balanceLedger } = shownBy;
  const balanceTime = sql`${new Date(shownBy.validatedAtMs).toISOString()}::timestamptz`;
  const wanted: SQL =
    distributorToken === undefined
      ? sql`${projects.status} <> 'draft'`
      : sql`${projects.distributor} = ${distributorToken.distributor}
        and ${projects.currency} is not distinct from ${distributorToken.currency}
        and ${projects.issuer} is not distinct from ${distributorToken.issuer}
        and ${projects.issuanceId} is not distinct from ${distributorToken.issuanceId}`;
  const { rows } = await db.execute<Omit<TokenLiability, 'micros'> & { micros: string }>(sql`
    with sale as (
      select ${projects.id}, ${projects.status}, ${projects.distributor}, ${projects.tokenKind} as token_kind,
        ${projects.currency}, ${projects.issuer}, ${projects.issuanceId} as issuance_id,
        10::numeric ^ (${WIRE_TOKEN_DECIMALS}::int - ${projects.decimals}) as scale, ${projects.vestingLocked} as vesting_locked
      from ${projects} where ${wanted}
    ), distributions as (
      select sale.id as project_id, case when sale.vesting_locked then date_trunc('day', ${payouts.dueAt}, 'UTC') end as day,
        sum(${payouts.amount}) as units
      from ${payouts} join sale on sale.id = ${payouts.projectId}
      where ${payouts.kind} = 'distribution' and ${payouts.status} <> 'cancelled'
        and (${payouts.status} <> 'validated' or ${payouts.ledgerIndex} > ${balanceLedger})
      group by 1, 2
    ), vesting_locks as (
      select sale.id as project_id, date_trunc('day', ${payouts.lockedUntil}, 'UTC') as day, ${payouts.amount} as locked,
        ${payouts.status} = 'validated' and ${payouts.ledgerIndex} <= ${balanceLedger} as is_made
      from ${payouts} join sale on sale.id = ${payouts.projectId}
      where ${payouts.kind} = 'lock' and ${payouts.part} >= ${FIRST_VESTING_PART} and ${payouts.status} <> 'cancelled'
        and case when ${payouts.status} = 'validated' and ${payouts.ledgerIndex} <= ${balanceLedger}
          then ${payouts.lockedUntil} > greatest(now(), ${balanceTime}) + ${BEFORE_UNLOCK}
            ${withEnding ? sql`or ${isEnding(balanceLedger)}` : sql``}
          else ${payouts.lockedUntil} > ${balanceTime} end
    ), liabilities(project_id, units) as (
      select sale.id, ${tiers.totalUnits} - ${tiers.soldUnits}
      from ${tiers} join sale on sale.id = ${tiers.projectId}
      where sale.id <> ${exceptUnsoldOf} and (sale.status in ('active', 'paused') or exists (
        select from ${actions} where ${actions.projectId} = sale.id and ${actions.action} = 'launch'
          and ${actions.status} in ('submitted', 'seen')))
      union all
      select sale.id, ${investments.totalUnits}
      from ${investments} join sale on sale.id = ${investments.projectId}
      where not ${investments.payoutsPlanned} and ${investments.status} = 'confirmed' and sale.status <> 'cancelled'
      union all
      select project_id, case when is_made then greatest(coalesce(units, 0) - locked, 0)
        -- What is to be locked leaves the balance, however little of it is still owed.
        else greatest(coalesce(units, 0), coalesce(locked, 0)) end
      from distributions full join vesting_locks using (project_id, day)
      union all
      -- What was found too late to be locked is owed to nobody (payouts/keep-owed-tokens.ts).
      select sale.id, ${payouts.amount}
      from ${payouts} join sale on sale.id = ${payouts.projectId}
      where ${payouts.kind} = 'lock' and ${payouts.part} < ${FIRST_VESTING_PART} and ${payouts.status} <> 'cancelled' and ${payouts.reason} is distinct from 'lock_time_passed'
        and (${payouts.status} <> 'validated' or ${payouts.ledgerIndex} > ${balanceLedger})
    )
    select sale.distributor, sale.token_kind as "tokenKind", sale.currency, sale.issuer,
      sale.issuance_id as "issuanceId", trunc(coalesce(sum(liabilities.units * sale.scale), 0))::text as micros
    from sale left join liabilities on liabilities.project_id = sale.id
    group by 1, 2, 3, 4, 5
    order by 1, 3, 4, 5`);
  return rows.map((row) => ({ ...row, micros: BigInt(row.micros) }));
}
