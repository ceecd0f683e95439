import { type CancellationRefund, cancellationRefundFloor } from '@tranche/rules/cancellation-refund.ts';
import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import {
  depositAccounts,
  investments,
  type PaymentRow,
  type ProjectRow,
  payments,
  projects,
} from '#drizzle/schema/sale.ts';
import { bulkRows } from '#lib/base/bulk.ts';
import type { Tx } from '#lib/base/db.ts';
import { logFailure } from '#lib/base/outage-log.ts';
import type { Ctx } from '#lib/ctx.ts';
import { appendEvents } from '#lib/events/append.ts';
import { cancelPayouts, cancelReleases, lockSettledParts, type SettledParts } from '#lib/payouts/cancel.ts';
import { createPayouts } from '#lib/payouts/create-payouts.ts';
import { failedEvent } from '../feed/confirmation-events.ts';
import { lockDepositAccount, paymentOf } from '../feed/load-state.ts';
import { newRefund } from '../feed/new-payouts.ts';
import { findProject } from '../projects/project-resource.ts';
import { investmentsPerSlice, type SaleFailure, type SaleSlice, workOnSales } from '../sale-slices.ts';

/**
 * Takes back what sales that were cancelled, or missed their soft cap, have not distributed (docs/verification.md,
 * section 6). `investments` counts those that were taken back, or found distributed whole. Safe beside itself,
 * confirmations and payers.
 */
export async function refundCancelledSales(
  ctx: Ctx,
  deadlineMs: number,
): Promise<{ investments: number; more: boolean; broken: number }> {
  const cancelled = await ctx.db
    .select({ id: projects.id })
    .from(projects)
    .innerJoin(depositAccounts, eq(depositAccounts.address, projects.depositAddress))
    .where(
      and(
        eq(projects.status, 'cancelled'),
        isNull(projects.cancellationCompletedAt),
        eq(depositAccounts.halted, false),
      ),
    )
    .orderBy(asc(projects.endedAt));
  const fail = (failed: SaleFailure) => logFailure(ctx, { ...failed }, 'a cancelled sale could not be refunded');
  const { done, more, broken } = await workOnSales(ctx, deadlineMs, cancelled, fail, ({ id }, after: Position | null) =>
    refundSlice(ctx, id, after),
  );
  return { investments: done, more, broken };
}

/** The last investment that a slice has looked at. */
interface Position {
  paidAt: Date;
  id: string;
}

/**
 * Takes the next investments of a cancelled sale back, in one transaction and a constant number of statements: what is
 * not distributed is cancelled and its XRP owed to the payer. Those with a part under way are left for a later pass. At
 * the end of a pass that leaves none, and no release on its way, the sale is marked as complete.
 */
export async function refundSlice(ctx: Ctx, projectId: string, after: Position | null): Promise<SaleSlice<Position>> {
  return ctx.db.transaction(async (tx) => {
    const project = await lockCancelled(tx, projectId);
    if (project === null) return { done: 0, next: null };
    const limit = investmentsPerSlice(project.vesting);
    const candidates = await loadInvested(tx, projectId, after, limit);
    const settled = await lockSettledParts(
      tx,
      candidates.map(({ investment }) => investment.id),
    );
    const cancelledInvestments = candidates.flatMap(({ investment, payment }): CancelledInvestment[] => {
      const parts = settled.get(investment.id);
      if (parts === undefined) return [];
      const { distributedUnits } = parts;
      const totalUnits = investment.totalUnits ?? 0n;
      const { investedDrops } = payment;
      const refunded = cancellationRefundFloor({ investedDrops, totalUnits, distributedUnits }, project.refundMinDrops);
      return [{ investment, payment, distributed: distributedUnits > 0n, ...parts, ...refunded }];
    });

    await cancelPayouts(
      tx,
      cancelledInvestments.flatMap(({ cancellable }) => cancellable),
      project.endReason,
    );
    await createRefunds(tx, project, cancelledInvestments);
    await writeCancelledInvestments(tx, project, cancelledInvestments);
    await appendEvents(tx, cancelledInvestmentEvents(project, cancelledInvestments));
    const last = candidates.length < limit ? undefined : candidates.at(-1)?.investment;
    if (last === undefined && (await cancelReleases(tx, projectId, project.endReason)))
      await markCancellationComplete(ctx, tx, projectId);
    return {
      done: cancelledInvestments.length,
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
  const { depositAddress } = await findProject(tx, projectId);
  const account = await lockDepositAccount(tx, depositAddress);
  if (account === undefined || account.halted) return null;
  const project = await findProject(tx, projectId);
  return project.status === 'cancelled' && project.cancellationCompletedAt === null ? project : null;
}

const isInvested = (projectId: string) =>
  and(
    eq(investments.projectId, projectId),
    eq(investments.status, 'confirmed'),
    eq(investments.cancellationApplied, false),
  );

const loadInvested = (tx: Tx, projectId: string, after: Position | null, limit: number) =>
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

async function createRefunds(
  tx: Tx,
  project: ProjectRow,
  cancelledInvestments: readonly CancelledInvestment[],
): Promise<void> {
  const dueAtMs = (project.endedAt ?? project.createdAt).getTime();
  const owed = cancelledInvestments
    .filter(({ refundedDrops }) => refundedDrops > 0n)
    .map(({ payment, refundedDrops }) =>
      newRefund(
        project.depositAddress,
        { hash: payment.txHash, sender: payment.sender, projectId: project.id, hasInvestment: true },
        { part: 2, drops: refundedDrops, dueAtMs },
      ),
    );
  const written = await createPayouts(tx, owed);
  // Recorded as refunded and owed to nobody: that must never be committed.
  if (written !== owed.length) throw new Error(`${owed.length} refunds of ${project.id} are owed, ${written} written`);
}

/** `investment.failed` for those that got no token at all. It was confirmed before: the event is its first of this name. */
const cancelledInvestmentEvents = (project: ProjectRow, cancelledInvestments: readonly CancelledInvestment[]) =>
  cancelledInvestments
    .filter(({ distributed }) => !distributed)
    .map(({ payment }) => {
      // Nothing else takes back what was confirmed.
      const reason = project.endReason === 'soft_cap_missed' ? 'soft_cap_missed' : 'cancelled';
      return failedEvent(paymentOf(payment), project.id, reason, project.endedAt ?? payment.closedAt);
    });

async function markCancellationComplete(ctx: Ctx, tx: Tx, projectId: string): Promise<void> {
  const left = await tx.select({ id: investments.id }).from(investments).where(isInvested(projectId)).limit(1);
  if (left.length > 0) return;
  await tx
    .update(projects)
    .set({ cancellationCompletedAt: new Date(ctx.clock.nowMs()) })
    .where(eq(projects.id, projectId));
}

/** What becomes of one investment. */
interface CancelledInvestment extends CancellationRefund, Pick<SettledParts, 'cancellable'> {
  investment: typeof investments.$inferSelect;
  payment: PaymentRow;
  /** Some of its tokens are on the ledger: it stays confirmed. */
  distributed: boolean;
}

/** Books what goes back: received = invested + refunded + held stays true of every payment. Allocations stay as history. */
async function writeCancelledInvestments(
  tx: Tx,
  project: ProjectRow,
  cancelledInvestments: readonly CancelledInvestment[],
): Promise<void> {
  if (cancelledInvestments.length === 0) return;
  await tx.execute(sql`
    update ${payments} as p
    set invested_drops = p.invested_drops - g.refunded - g.held, refunded_drops = p.refunded_drops + g.refunded,
      held_drops = p.held_drops + g.held, reason = ${project.endReason},
      outcome = case when p.invested_drops > g.refunded + g.held then 'partial'
        when p.refunded_drops + g.refunded > 0 then 'refunded' else 'held' end
    from ${bulkRows(
      'g',
      { tx_hash: 'text', refunded: 'bigint', held: 'bigint' },
      cancelledInvestments
        .filter(({ refundedDrops, heldDrops }) => refundedDrops + heldDrops > 0n)
        .map(({ payment, refundedDrops, heldDrops }) => ({
          tx_hash: payment.txHash,
          refunded: refundedDrops,
          held: heldDrops,
        })),
    )}
    where p.tx_hash = g.tx_hash`);
  await tx.execute(sql`
    update ${investments} as i
    set cancellation_applied = true, payouts_planned = true, status = case when g.distributed then i.status else 'failed' end,
      reason = case when g.distributed then i.reason else ${project.endReason} end
    from ${bulkRows(
      'g',
      { id: 'text', distributed: 'boolean' },
      cancelledInvestments.map(({ investment, distributed }) => ({ id: investment.id, distributed })),
    )}
    where i.id = g.id`);
  const drops = cancelledInvestments.reduce((sum, { refundedDrops, heldDrops }) => sum + refundedDrops + heldDrops, 0n);
  await tx.execute(sql`
    update ${projects} set cancelled_drops = cancelled_drops + ${drops.toString()}::bigint where id = ${project.id}`);
}
