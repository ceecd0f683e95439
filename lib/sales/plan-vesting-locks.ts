import { derivedId } from '@tranche/rules/ids.ts';
import { vestingLocks } from '@tranche/rules/locks.ts';
import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm';
import { payouts } from '#drizzle/schema/payouts.ts';
import { depositAccounts, investments, type ProjectRow, projects } from '#drizzle/schema/sale.ts';
import type { Tx } from '#lib/base/db.ts';
import { logFailure } from '#lib/base/outage-log.ts';
import type { Ctx } from '#lib/ctx.ts';
import { createLocks, createUnlocks } from '#lib/payouts/create-payouts.ts';
import { type SaleFailure, type SaleSlice, workOnSales } from './sale-slices.ts';

/** All that the sale will ever owe its investors is written. */
const isToBePlanned = and(
  eq(projects.status, 'completed'),
  eq(projects.vestingLocked, true),
  eq(projects.vestingLocksOwed, false),
  sql`not exists (select from ${investments} where ${investments.projectId} = ${projects.id}
    and ${investments.status} = 'confirmed' and not ${investments.payoutsPlanned})`,
);

/**
 * Owes the locks of what vesting owes, and the end of each, once a sale whose terms promise them is completed and planned. `planned` counts
 * sales. One transaction a sale, which another slice passes over. A completed sale never changes again, so nothing here waits for
 * its deposit account.
 */
export async function planVestingLocks(
  ctx: Ctx,
  deadlineMs: number,
): Promise<{ planned: number; more: boolean; broken: number }> {
  const completed = await ctx.db
    .select(getTableColumns(projects))
    .from(projects)
    .innerJoin(depositAccounts, eq(depositAccounts.address, projects.depositAddress))
    .where(and(isToBePlanned, eq(depositAccounts.halted, false)))
    .orderBy(asc(projects.endedAt));
  const fail = (failed: SaleFailure) =>
    logFailure(ctx, { ...failed }, 'the locks of what a sale owes later could not be planned');
  const { done, more, broken } = await workOnSales(ctx, deadlineMs, completed, fail, (project) =>
    planSale(ctx, project),
  );
  return { planned: done, more, broken };
}

function planSale(ctx: Ctx, project: ProjectRow): Promise<SaleSlice<never>> {
  const { id: projectId, distributor: account, endedAt } = project;
  if (endedAt === null) throw new Error(`${projectId} is completed without an end`);
  return ctx.db.transaction(async (tx) => {
    const locked = await tx
      .select({ id: projects.id })
      .from(projects)
      .where(and(eq(projects.id, projectId), isToBePlanned))
      .for('no key update', { skipLocked: true });
    if (locked.length === 0) return { done: 0, next: null };
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
    return { done: 1, next: null };
  });
}

/** What a sale owes its investors, paid or not, by the UTC day on which it is due. */
async function owedByDay(tx: Tx, projectId: string): Promise<{ units: bigint; dueAtMs: number }[]> {
  const { rows } = await tx.execute<{ units: string; day_ms: string }>(sql`
    select sum(${payouts.amount})::text as units, (extract(epoch from date_trunc('day', ${payouts.dueAt}, 'UTC')) * 1000)::bigint::text as day_ms
    from ${payouts}
    where ${payouts.kind} = 'distribution' and ${payouts.projectId} = ${projectId}
      and ${payouts.investmentId} in (select ${investments.id} from ${investments} where ${investments.projectId} = ${projectId})
    group by 2`);
  return rows.map((row) => ({ units: BigInt(row.units), dueAtMs: Number(row.day_ms) }));
}
