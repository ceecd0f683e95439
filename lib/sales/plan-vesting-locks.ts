import { derivedId } from '@tranche/rules/ids.ts';
import { vestingLocks } from '@tranche/rules/locks.ts';
import { and, eq, sql } from 'drizzle-orm';
import { payouts } from '#drizzle/schema/payouts.ts';
import { investments, type ProjectRow, projects } from '#drizzle/schema/sale.ts';
import type { Tx } from '#lib/base/db.ts';
import type { Ctx } from '#lib/ctx.ts';
import { createLocks, createUnlocks } from '#lib/payouts/create-payouts.ts';

/** True of a sale that has still to say what its distributor locks of what vesting owes. */
export const owesVestingLocks = and(eq(projects.vestingLocked, true), eq(projects.vestingLocksOwed, false));

/** All that the sale will ever owe its investors is written. */
const isPlanned = sql`${projects.status} = 'completed' and not exists (select from ${investments}
  where ${investments.projectId} = ${projects.id} and ${investments.status} = 'confirmed' and not ${investments.payoutsPlanned})`;

/**
 * Owes the locks of what vesting owes, and the end of each, of a sale whose terms promise them and that is completed and planned, in one
 * transaction. What another slice has locked is passed over. True when this has done it.
 */
export async function planVestingLocks(ctx: Ctx, project: ProjectRow): Promise<boolean> {
  const { id: projectId, distributor: account, endedAt } = project;
  return ctx.db.transaction(async (tx) => {
    const locked = await tx
      .select({ id: projects.id })
      .from(projects)
      .where(and(eq(projects.id, projectId), owesVestingLocks, isPlanned))
      .for('no key update', { skipLocked: true });
    if (locked.length === 0) return false;
    if (endedAt === null) throw new Error(`${projectId} is completed without an end`);
    // No witness would sign an escrow.
    const found = project.custody === null ? vestingLocks(await owedByDay(tx, projectId), endedAt.getTime()) : [];
    const owed = found.map(({ part, units: amount, untilMs }) => ({
      projectId,
      part,
      account,
      amount,
      lockedUntil: new Date(untilMs),
    }));
    const idOf = (kind: 'lock' | 'unlock', part: number) => derivedId('pay', kind, projectId, String(part));
    await createLocks(
      tx,
      owed.map((lock) => ({ ...lock, id: idOf('lock', lock.part), dueAt: endedAt })),
    );
    await createUnlocks(
      tx,
      owed.map((unlock) => ({ ...unlock, id: idOf('unlock', unlock.part) })),
    );
    await tx.update(projects).set({ vestingLocksOwed: true }).where(eq(projects.id, projectId));
    return true;
  });
}

/** What a sale owes its investors, paid or not, by the UTC day on which it is due. Found by their investments, which have the index. */
async function owedByDay(tx: Tx, projectId: string): Promise<{ units: bigint; dueAtMs: number }[]> {
  const { rows } = await tx.execute<{ units: string; day_ms: string }>(sql`
    select sum(${payouts.amount})::text as units, (extract(epoch from date_trunc('day', ${payouts.dueAt}, 'UTC')) * 1000)::bigint::text as day_ms
    from ${payouts}
    where ${payouts.kind} = 'distribution' and ${payouts.projectId} = ${projectId}
      and ${payouts.investmentId} in (select ${investments.id} from ${investments} where ${investments.projectId} = ${projectId})
    group by 2`);
  return rows.map((row) => ({ units: BigInt(row.units), dueAtMs: Number(row.day_ms) }));
}
