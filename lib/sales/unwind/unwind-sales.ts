import { type GivenBack, giveBackFloor } from '@tranche/rules/give-back.ts';
import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { depositAccounts, investments, payments, projects } from '#drizzle/schema/sale.ts';
import { bulkRows } from '#lib/base/bulk.ts';
import type { Tx } from '#lib/base/db.ts';
import { logFailure } from '#lib/base/outage-log.ts';
import type { Ctx } from '#lib/ctx.ts';
import { appendEvents } from '#lib/events/append.ts';
import { cancelPayouts, cancelReleases, lockSettledParts, type SettledParts } from '#lib/payouts/cancel.ts';
import { owePayouts } from '#lib/payouts/owe.ts';
import { failedEvent } from '../feed/confirmation-events.ts';
import { lockDepositAccount, paymentOf } from '../feed/load-state.ts';
import { owedRefund } from '../feed/owed-payouts.ts';
import { findProject, type ProjectRow } from '../projects/project-resource.ts';
import { investmentsPerSlice, type SaleFailure, type SaleSlice, workOnSales } from '../sale-slices.ts';

/**
 * Takes back what sales that were cancelled, or missed their soft cap, have not distributed (docs/verification.md,
 * section 6). `unwound` counts investments that were taken back, or found distributed whole. Safe beside itself,
 * confirmations and payers.
 */
export async function unwindSales(
  ctx: Ctx,
  deadlineMs: number,
): Promise<{ unwound: number; more: boolean; broken: number }> {
  const cancelled = await ctx.db
    .select({ id: projects.id })
    .from(projects)
    .innerJoin(depositAccounts, eq(depositAccounts.address, projects.depositAddress))
    .where(and(eq(projects.status, 'cancelled'), isNull(projects.unwoundAt), eq(depositAccounts.halted, false)))
    .orderBy(asc(projects.endedAt));
  const fail = (failed: SaleFailure) => logFailure(ctx, { ...failed }, 'a cancelled sale could not be unwound');
  const { done, more, broken } = await workOnSales(ctx, deadlineMs, cancelled, fail, ({ id }, after: Place | null) =>
    unwindSlice(ctx, id, after),
  );
  return { unwound: done, more, broken };
}

/** The last investment that a slice has looked at. */
interface Place {
  paidAt: Date;
  id: string;
}

/**
 * Takes the next investments of a cancelled sale back, in one transaction and a constant number of statements: what is
 * not distributed is cancelled and its XRP owed to the payer. Those with a part under way are left for a later pass. At
 * the end of a pass that leaves none, and no release on its way, the sale is marked as unwound.
 */
export async function unwindSlice(ctx: Ctx, projectId: string, after: Place | null): Promise<SaleSlice<Place>> {
  return ctx.db.transaction(async (tx) => {
    const project = await lockCancelled(tx, projectId);
    if (project === null) return { done: 0, next: null };
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
    return { done: unwound.length, next: last === undefined ? null : { paidAt: last.paidAt, id: last.id } };
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
  return project.status === 'cancelled' && project.unwoundAt === null ? project : null;
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

/** `investment.failed` for those that got no token at all. It was confirmed before: the event is its first of this name. */
const unwoundEvents = (project: ProjectRow, unwound: readonly Unwound[]) =>
  unwound
    .filter(({ distributed }) => !distributed)
    .map(({ payment }) => {
      // Nothing else takes back what was confirmed.
      const reason = project.endReason === 'soft_cap_missed' ? 'soft_cap_missed' : 'cancelled';
      return failedEvent(paymentOf(payment), project.id, reason, project.endedAt ?? payment.closedAt);
    });

async function markUnwound(ctx: Ctx, tx: Tx, projectId: string): Promise<void> {
  const left = await tx.select({ id: investments.id }).from(investments).where(isInvested(projectId)).limit(1);
  if (left.length > 0) return;
  await tx
    .update(projects)
    .set({ unwoundAt: new Date(ctx.clock.nowMs()) })
    .where(eq(projects.id, projectId));
}

/** What becomes of one investment. */
interface Unwound extends GivenBack, Pick<SettledParts, 'cancellable'> {
  investment: typeof investments.$inferSelect;
  payment: typeof payments.$inferSelect;
  /** Some of its tokens are on the ledger: it stays confirmed. */
  distributed: boolean;
}

/** Books what goes back: received = invested + refunded + held stays true of every payment. Allocations stay as history. */
async function writeUnwound(tx: Tx, project: ProjectRow, unwound: readonly Unwound[]): Promise<void> {
  if (unwound.length === 0) return;
  await tx.execute(sql`
    update ${payments} as p
    set invested_drops = p.invested_drops - g.refunded - g.held, refunded_drops = p.refunded_drops + g.refunded,
      held_drops = p.held_drops + g.held, reason = ${project.endReason},
      outcome = case when p.invested_drops > g.refunded + g.held then 'partial'
        when p.refunded_drops + g.refunded > 0 then 'refunded' else 'held' end
    from ${bulkRows(
      'g',
      { tx_hash: 'text', refunded: 'bigint', held: 'bigint' },
      unwound
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
    set unwound = true, payouts_planned = true, status = case when g.distributed then i.status else 'failed' end,
      reason = case when g.distributed then i.reason else ${project.endReason} end
    from ${bulkRows(
      'g',
      { id: 'text', distributed: 'boolean' },
      unwound.map(({ investment, distributed }) => ({ id: investment.id, distributed })),
    )}
    where i.id = g.id`);
  const drops = unwound.reduce((sum, { refundedDrops, heldDrops }) => sum + refundedDrops + heldDrops, 0n);
  await tx.execute(sql`
    update ${projects} set unwound_drops = unwound_drops + ${drops.toString()}::bigint where id = ${project.id}`);
}
