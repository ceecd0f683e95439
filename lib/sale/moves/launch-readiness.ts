import { and, eq, ne, sql } from 'drizzle-orm';
import { payouts } from '#drizzle/schema/payouts.ts';
import { moves, projects, tiers } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/platform/db.ts';
import { type FieldError, PlatformError } from '#lib/platform/errors.ts';
import type { ProjectRow, TierRow } from '../project-resource.ts';
import { type LaunchFacts, launchFaults, unsoldUnits } from './launch-checklist.ts';

/** A launch as it is to be persisted. */
export interface Launch {
  terms: string;
  termsHash: string;
  tierRows: readonly TierRow[];
  facts: LaunchFacts;
}

/**
 * Throws `launch_not_ready` with every fault. Inside the transaction that persists the launch, call it under the purse's
 * lock (`lockPurse`): then no two launches count on the same tokens.
 */
export async function assertLaunchable(db: Db, nowMs: number, row: ProjectRow, launch: Launch): Promise<void> {
  const owedElsewhere = await owedByDistributor(db, row, launch.facts.server.validatedIndex);
  const ended = row.endsAt !== null && row.endsAt.getTime() <= nowMs;
  const errors: FieldError[] = ended ? [{ field: 'ends_at', message: 'lies in the past' }] : [];
  errors.push(...launchFaults(row, unsoldUnits(launch.tierRows) + owedElsewhere, launch.facts));
  const first = errors[0];
  if (first !== undefined) {
    throw new PlatformError('launch_not_ready', `${first.field}: ${first.message}`, { errors });
  }
}

/**
 * Units of the same token that the same distributor owes: for other sales that run or whose launch is on its way, and
 * for payouts not validated up to `balanceLedger`, the ledger that showed what the distributor holds.
 */
async function owedByDistributor(db: Db, row: ProjectRow, balanceLedger: number): Promise<bigint> {
  const sameToken = and(
    eq(projects.distributor, row.distributor),
    sql`${projects.currency} is not distinct from ${row.currency}`,
    sql`${projects.issuer} is not distinct from ${row.issuer}`,
    sql`${projects.issuanceId} is not distinct from ${row.issuanceId}`,
  );
  const scale = sql`(10::numeric ^ (${row.decimals}::int - ${projects.decimals}))`;
  const [unsold] = await db
    .select({
      units: sql<string>`coalesce(ceil(sum((${tiers.totalUnits} - ${tiers.soldUnits}) * ${scale})), 0)::text`,
    })
    .from(tiers)
    .innerJoin(projects, eq(projects.id, tiers.projectId))
    .where(
      and(
        sameToken,
        ne(projects.id, row.id),
        sql`(${projects.status} in ('active', 'paused') or exists (
          select from ${moves} where ${moves.projectId} = ${projects.id} and ${moves.move} = 'launch'
            and ${moves.status} in ('submitted', 'seen')))`,
      ),
    );
  const [unpaid] = await db
    .select({ units: sql<string>`coalesce(ceil(sum(${payouts.amount} * ${scale})), 0)::text` })
    .from(payouts)
    .innerJoin(projects, eq(projects.id, payouts.projectId))
    .where(
      and(
        sameToken,
        eq(payouts.kind, 'distribution'),
        sql`(${payouts.status} <> 'validated' or ${payouts.ledgerIndex} > ${balanceLedger})`,
      ),
    );
  return BigInt(unsold?.units ?? 0) + BigInt(unpaid?.units ?? 0);
}

/** Until the transaction ends, one launch at a time may count what a distributor still has of a token. */
export async function lockPurse(tx: Db, row: ProjectRow): Promise<void> {
  const purse = JSON.stringify([row.distributor, row.issuer, row.currency, row.issuanceId]);
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${purse}, 0))`);
}
