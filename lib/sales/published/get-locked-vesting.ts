import { FIRST_VESTING_PART } from '@tranche/rules/locks.ts';
import { and, asc, eq, gte, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { payouts } from '#drizzle/schema/payouts.ts';
import { formatUnits } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import { findProject } from '../projects/project-resource.ts';

/** What vesting makes due on one day, and the EscrowCreate that has locked it. */
export interface LockedDay {
  /** Cannot move before. */
  until: string;
  tokens: string;
  /** Null until it is validated. */
  transaction_hash: string | null;
  /** Whether the escrow has been finished: its tokens are back with the distributor, who pays them out. */
  is_released: boolean;
}

/** The locks of what vesting owes at a sale's end, by day, with their sums. */
export interface LockedVesting {
  tokens: string;
  /** Of `tokens`, what is in escrow now. */
  in_escrow: string;
  days: LockedDay[];
}

/**
 * What a sale's end makes vesting lock, without a day when that is nothing. Null until it is worked out (`planVestingLocks`), and of a
 * cancelled sale. Throws `project_not_found`.
 */
export async function getLockedVesting({ db }: Pick<Ctx, 'db'>, id: string): Promise<LockedVesting | null> {
  const project = await findProject(db, id);
  const unlocks = alias(payouts, 'unlocks');
  const rows = await db
    .select({
      units: payouts.amount,
      until: payouts.lockedUntil,
      hash: sql<string | null>`case when ${payouts.status} = 'validated' then ${payouts.txHash} end`,
      isReleased: sql<boolean>`coalesce(${unlocks.status} = 'validated', false)`,
    })
    .from(payouts)
    .leftJoin(
      unlocks,
      and(eq(unlocks.kind, 'unlock'), eq(unlocks.projectId, payouts.projectId), eq(unlocks.part, payouts.part)),
    )
    .where(
      and(
        eq(payouts.projectId, project.id),
        // Written as it stands in the index of locks.
        sql`${payouts.kind} = 'lock'`,
        gte(payouts.part, FIRST_VESTING_PART),
      ),
    )
    .orderBy(asc(payouts.part));
  if (rows.length === 0 && !project.vestingLocksOwed) return null;
  const textOf = (each: typeof rows): string =>
    formatUnits(
      each.reduce((sum, { units }) => sum + units, 0n),
      project.decimals,
    );
  return {
    tokens: textOf(rows),
    in_escrow: textOf(rows.filter(({ hash, isReleased }) => hash !== null && !isReleased)),
    days: rows.map(({ units, until, hash, isReleased }) => ({
      until: until?.toISOString() ?? '',
      tokens: formatUnits(units, project.decimals),
      transaction_hash: hash,
      is_released: isReleased,
    })),
  };
}
