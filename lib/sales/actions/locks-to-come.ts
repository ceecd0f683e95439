import { and, eq, inArray, ne, notInArray, or, sql } from 'drizzle-orm';
import { payouts } from '#drizzle/schema/payouts.ts';
import { actions, type ProjectRow, projects } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/base/db.ts';
import { mostVestingLocks } from '../projects/check-vesting-locked.ts';

/**
 * The most escrows that the distributor of a sale has still to create for its other sales: each will be an entry that it keeps a
 * reserve for. What sales that run, or whose launch is on its way, promise for their ends; and locks that are owed and not made yet.
 */
export async function locksToCome(
  db: Db,
  { id, distributor }: Pick<ProjectRow, 'id' | 'distributor'>,
  nowMs: number,
): Promise<number> {
  const isLaunching = sql`exists (select from ${actions} where ${actions.projectId} = ${projects.id} and ${actions.action} = 'launch'
    and ${actions.status} in ('submitted', 'seen'))`;
  const promising = await db
    .select()
    .from(projects)
    .where(
      and(
        eq(projects.distributor, distributor),
        ne(projects.id, id),
        or(
          and(
            or(inArray(projects.status, ['active', 'paused']), isLaunching),
            or(eq(projects.vestingLocked, true), sql`${projects.unsoldUntil} is not null`),
          ),
          // Its end has written the lock of what it did not sell, and what vesting owes is to be planned.
          and(eq(projects.status, 'completed'), eq(projects.vestingLocked, true), eq(projects.vestingLocksOwed, false)),
        ),
      ),
    );
  const promised = promising.map((row) => {
    // A sale that runs can have sold on each day since its launch.
    const vesting = row.vestingLocked ? mostVestingLocks(row, row.launchedAt?.getTime() ?? nowMs) : 0;
    return vesting + (row.unsoldUntil === null || row.status === 'completed' ? 0 : 1);
  });
  const owed = await db.$count(
    payouts,
    and(
      eq(payouts.account, distributor),
      eq(payouts.kind, 'lock'),
      notInArray(payouts.status, ['validated', 'cancelled']),
      sql`${payouts.lockedUntil} > ${new Date(nowMs).toISOString()}::timestamptz`,
    ),
  );
  return promised.reduce((sum, count) => sum + count, owed);
}
