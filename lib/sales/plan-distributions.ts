import { and, asc, eq, getTableColumns, or, sql } from 'drizzle-orm';
import { depositAccounts, investments, type ProjectRow, projects } from '#drizzle/schema/sale.ts';
import { textArray } from '#lib/base/bulk.ts';
import { logFailure } from '#lib/base/outage-log.ts';
import type { Ctx } from '#lib/ctx.ts';
import { createPayouts } from '#lib/payouts/create-payouts.ts';
import { newDistributions } from './feed/new-payouts.ts';
import { owesVestingLocks, planVestingLocks } from './plan-vesting-locks.ts';
import { investmentsPerSlice, type SaleFailure, type SaleSlice, workOnSales } from './sale-slices.ts';

const isUnplanned = sql`${investments.status} = 'confirmed' and not ${investments.payoutsPlanned}`;

/**
 * Owes the tokens of sales that distribute at their end, once they are completed: every part's due date counts from the
 * end. And then of any sale whose terms lock what vesting owes, those locks (plan-vesting-locks.ts). `planned` counts the investments
 * whose tokens are owed from now on. Safe beside itself: what another slice has locked is passed over, and what is owed already is not
 * owed twice. A completed sale never changes again, so nothing here waits for its deposit account.
 */
export async function planDistributions(
  ctx: Ctx,
  deadlineMs: number,
): Promise<{ planned: number; more: boolean; broken: number }> {
  const completed = await ctx.db
    .select(getTableColumns(projects))
    .from(projects)
    .innerJoin(depositAccounts, eq(depositAccounts.address, projects.depositAddress))
    .where(
      and(
        eq(projects.status, 'completed'),
        eq(depositAccounts.halted, false),
        or(
          owesVestingLocks,
          sql`exists (select from ${investments} where ${investments.projectId} = ${projects.id} and ${isUnplanned})`,
        ),
      ),
    )
    .orderBy(asc(projects.endedAt));
  const fail = (failed: SaleFailure) =>
    logFailure(ctx, { ...failed }, 'the distributions of a sale could not be planned');
  const { done, more, broken } = await workOnSales(ctx, deadlineMs, completed, fail, (project) =>
    planSale(ctx, project),
  );
  return { planned: done, more, broken };
}

async function planSale(ctx: Ctx, project: ProjectRow): Promise<SaleSlice<true>> {
  const slice = await planSlice(ctx, project);
  if (slice.next === null && project.vestingLocked) await planVestingLocks(ctx, project);
  return slice;
}

function planSlice(ctx: Ctx, project: ProjectRow): Promise<SaleSlice<true>> {
  const limit = investmentsPerSlice(project.vesting);
  const { endedAt } = project;
  if (endedAt === null) throw new Error(`${project.id} is completed without an end`);
  return ctx.db.transaction(async (tx) => {
    const rows = await tx
      .select()
      .from(investments)
      .where(and(eq(investments.projectId, project.id), isUnplanned))
      .orderBy(asc(investments.id))
      .limit(limit)
      .for('no key update', { skipLocked: true });
    if (rows.length === 0) return { done: 0, next: null };
    await createPayouts(
      tx,
      rows.flatMap((row) =>
        newDistributions(
          project,
          { paymentHash: row.txHash, investor: row.investorAccount, totalUnits: row.totalUnits ?? 0n },
          endedAt.getTime(),
        ),
      ),
    );
    await tx
      .update(investments)
      .set({ payoutsPlanned: true })
      .where(sql`${investments.id} = any (${textArray(rows.map((row) => row.id))})`);
    return { done: rows.length, next: rows.length === limit ? true : null };
  });
}
