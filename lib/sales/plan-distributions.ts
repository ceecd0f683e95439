import { and, asc, eq, sql } from 'drizzle-orm';
import { depositAccounts, investments, projects } from '#drizzle/schema/sale.ts';
import { textArray } from '#lib/base/bulk.ts';
import { logFailure } from '#lib/base/outage-log.ts';
import type { Ctx } from '#lib/ctx.ts';
import { owePayouts } from '#lib/payouts/owe.ts';
import { owedDistributions } from './feed/owed-payouts.ts';
import { investmentsPerSlice } from './unwind/slice-size.ts';

type ProjectRow = typeof projects.$inferSelect;

interface DistributionsPlanned {
  /** Investments whose tokens are owed from now on. */
  planned: number;
  /** The time was up before all were planned. */
  more: boolean;
  /** Sales whose distributions could not be planned; the log names why. */
  broken: number;
}

const isUnplanned = sql`${investments.status} = 'confirmed' and not ${investments.payoutsPlanned}`;

/**
 * Owes the tokens of sales that distribute at their end, once they are completed: every part's due date counts from the
 * end. Slice after slice until `deadlineMs` (of ctx.clock), and at least one. Safe beside itself: what another slice has
 * locked is passed over, and what is owed already is not owed twice. A completed sale never changes again, so nothing
 * here waits for its deposit account.
 */
export async function planDistributions(ctx: Ctx, deadlineMs: number): Promise<DistributionsPlanned> {
  const total: DistributionsPlanned = { planned: 0, more: false, broken: 0 };
  const completed = await ctx.db
    .select({ project: projects })
    .from(projects)
    .innerJoin(depositAccounts, eq(depositAccounts.address, projects.depositAddress))
    .where(
      and(
        eq(projects.status, 'completed'),
        eq(depositAccounts.halted, false),
        sql`exists (select from ${investments} where ${investments.projectId} = ${projects.id} and ${isUnplanned})`,
      ),
    )
    .orderBy(asc(projects.endedAt));
  for (const { project } of completed) {
    try {
      for (let full = true; full; ) {
        const slice = await planSlice(ctx, project);
        total.planned += slice.planned;
        full = slice.full;
        if (ctx.clock.nowMs() >= deadlineMs) {
          total.more = full || project !== completed.at(-1)?.project;
          return total;
        }
      }
    } catch (err) {
      // One sale's fault keeps no other sale's tokens back.
      logFailure(ctx, { err, project_id: project.id }, 'the distributions of a sale could not be planned');
      total.broken += 1;
    }
  }
  return total;
}

function planSlice(ctx: Ctx, project: ProjectRow): Promise<{ planned: number; full: boolean }> {
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
    if (rows.length === 0) return { planned: 0, full: false };
    await owePayouts(
      tx,
      rows.flatMap((row) =>
        owedDistributions(
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
    return { planned: rows.length, full: rows.length === limit };
  });
}
