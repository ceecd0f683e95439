import { giveBackFloor } from '@tranche/rules/give-back.ts';
import { and, asc, eq, sql } from 'drizzle-orm';
import { depositAccounts, investments, payments, projects } from '#drizzle/schema/sale.ts';
import type { Tx } from '#lib/base/db.ts';
import type { Ctx } from '#lib/ctx.ts';
import { appendEvents } from '#lib/events/append.ts';
import { cancelPayouts, cancelReleases, lockSettledParts } from '#lib/payouts/cancel.ts';
import { owePayouts } from '#lib/payouts/owe.ts';
import { owedRefund } from '../feed/owed-payouts.ts';
import { investmentsPerSlice } from './slice-size.ts';
import { unwoundEvents } from './unwound-event.ts';
import { type Unwound, writeUnwound } from './write-unwound.ts';

type ProjectRow = typeof projects.$inferSelect;

/** The last investment that a slice has looked at. */
export interface Place {
  paidAt: Date;
  id: string;
}

interface UnwoundSlice {
  unwound: number;
  /** Where the next slice goes on; null when the last investment was looked at. */
  next: Place | null;
}

/**
 * Takes the next investments of a cancelled sale back, in one transaction and a constant number of statements: what is
 * not distributed is cancelled and its XRP owed to the payer. Those with a part under way are left for a later pass. At
 * the end of a pass that leaves none, and no release on its way, the sale is marked as unwound.
 */
export async function unwindSlice(ctx: Ctx, projectId: string, after: Place | null): Promise<UnwoundSlice> {
  return ctx.db.transaction(async (tx) => {
    const project = await lockCancelled(tx, projectId);
    if (project === null) return { unwound: 0, next: null };
    const limit = investmentsPerSlice(project.vesting);
    const candidates = await loadInvested(tx, projectId, after, limit);
    const settled = await lockSettledParts(
      tx,
      candidates.map(({ investment }) => investment.id),
    );
    const unwound = candidates.flatMap(({ investment, payment }): Unwound[] => {
      const parts = settled.get(investment.id);
      if (parts === undefined) return [];
      const { distributedUnits } = parts;
      const totalUnits = investment.totalUnits ?? 0n;
      const { investedDrops } = payment;
      const givenBack = giveBackFloor({ investedDrops, totalUnits, distributedUnits }, project.refundMinDrops);
      return [{ investment, payment, distributed: distributedUnits > 0n, ...parts, ...givenBack }];
    });

    await cancelPayouts(
      tx,
      unwound.flatMap(({ cancellable }) => cancellable),
      project.endReason,
    );
    await oweRefunds(tx, project, unwound);
    await writeUnwound(tx, project, unwound);
    await appendEvents(tx, unwoundEvents(project, unwound));
    const last = candidates.length < limit ? undefined : candidates.at(-1)?.investment;
    if (last === undefined && (await cancelReleases(tx, projectId, project.endReason)))
      await markUnwound(ctx, tx, projectId);
    return {
      unwound: unwound.length,
      next: last === undefined ? null : { paidAt: last.paidAt, id: last.id },
    };
  });
}

/**
 * The sale under its deposit account's lock, like confirm: from here on nothing else decides about its investments. Null
 * when there is nothing to do, or an operator has halted the account. No confirmation is to come: every entry before the
 * cancellation was decided with it, and every later payment is refused.
 */
async function lockCancelled(tx: Tx, projectId: string): Promise<ProjectRow | null> {
  const [account] = await tx
    .select({ halted: depositAccounts.halted })
    .from(depositAccounts)
    .where(
      eq(
        depositAccounts.address,
        tx.select({ address: projects.depositAddress }).from(projects).where(eq(projects.id, projectId)),
      ),
    )
    .for('no key update');
  if (account === undefined || account.halted) return null;
  const [project] = await tx.select().from(projects).where(eq(projects.id, projectId));
  return project?.status === 'cancelled' && project.unwoundAt === null ? project : null;
}

const isInvested = (projectId: string) =>
  and(eq(investments.projectId, projectId), eq(investments.status, 'confirmed'), eq(investments.unwound, false));

const loadInvested = (tx: Tx, projectId: string, after: Place | null, limit: number) =>
  tx
    .select({ investment: investments, payment: payments })
    .from(investments)
    .innerJoin(payments, eq(payments.txHash, investments.txHash))
    .where(
      and(
        isInvested(projectId),
        after === null
          ? undefined
          : sql`(${investments.paidAt}, ${investments.id}) > (${after.paidAt.toISOString()}::timestamptz, ${after.id})`,
      ),
    )
    .orderBy(asc(investments.paidAt), asc(investments.id))
    .limit(limit);

async function oweRefunds(tx: Tx, project: ProjectRow, unwound: readonly Unwound[]): Promise<void> {
  const dueAtMs = (project.endedAt ?? project.createdAt).getTime();
  const owed = unwound
    .filter(({ refundedDrops }) => refundedDrops > 0n)
    .map(({ payment, refundedDrops }) =>
      owedRefund(
        project.depositAddress,
        { hash: payment.txHash, sender: payment.sender, projectId: project.id, hasInvestment: true },
        { part: 2, drops: refundedDrops, dueAtMs },
      ),
    );
  const written = await owePayouts(tx, owed);
  // Booked as refunded and owed to nobody: that must never be committed.
  if (written !== owed.length) throw new Error(`${owed.length} refunds of ${project.id} are owed, ${written} written`);
}

async function markUnwound(ctx: Ctx, tx: Tx, projectId: string): Promise<void> {
  const left = await tx.select({ id: investments.id }).from(investments).where(isInvested(projectId)).limit(1);
  if (left.length > 0) return;
  await tx
    .update(projects)
    .set({ unwoundAt: new Date(ctx.clock.nowMs()) })
    .where(eq(projects.id, projectId));
}
