import { asc, count, eq, gt, inArray } from 'drizzle-orm';
import { deliveries, events } from '#drizzle/schema/events.ts';
import { payouts } from '#drizzle/schema/payouts.ts';
import { allocations, investments, payments, projects, tiers } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/base/db.ts';
import { rowsOf } from '#tests/support/rows.ts';
import { type Books, byProject, line } from './books.ts';

/** Everything that one deposit account's feed has left in the database. */
export async function readWritten(db: Db, account: string, projectIds: readonly string[], afterSequence: number) {
  const ids = [...projectIds];
  const [accounts, paid, invested, bought, sold, tierRows, moved, owed, told] = await Promise.all([
    rowsOf(db, 'depositAccounts', { address: account }),
    db
      .select()
      .from(payments)
      .where(eq(payments.account, account))
      .orderBy(asc(payments.ledgerIndex), asc(payments.transactionIndex)),
    db.select().from(investments).where(inArray(investments.projectId, ids)),
    db.select().from(allocations).where(inArray(allocations.projectId, ids)).orderBy(asc(allocations.tier)),
    db.select().from(projects).where(inArray(projects.id, ids)),
    db.select().from(tiers).where(inArray(tiers.projectId, ids)).orderBy(asc(tiers.tier)),
    rowsOf(db, 'actions', { account }),
    db
      .select({ payout: payouts })
      .from(payouts)
      .innerJoin(payments, eq(payments.txHash, payouts.paymentHash))
      .where(eq(payments.account, account)),
    db
      .select({ event: events, deliveries: count(deliveries.id) })
      .from(events)
      .leftJoin(deliveries, eq(deliveries.eventId, events.id))
      .where(gt(events.sequence, afterSequence))
      .groupBy(events.id)
      .orderBy(asc(events.sequence)),
  ]);
  const [position] = accounts;
  if (position === undefined) throw new Error(`No deposit account ${account}`);
  return {
    position,
    payments: paid,
    investments: invested,
    allocations: bought,
    projects: sold,
    tiers: tierRows,
    actions: moved,
    payouts: owed.map(({ payout }) => payout),
    events: told,
  };
}

export type Written = Awaited<ReturnType<typeof readWritten>>;

/** The database's rows as books. */
export function writtenRecords(written: Written): Books {
  const investmentOf = new Map(written.investments.map((row) => [row.id, row]));
  return {
    payments: written.payments
      .map((row) =>
        line({
          payment: row.txHash,
          type: row.transactionType,
          project: row.projectId,
          received: row.receivedDrops,
          outcome: row.outcome,
          reason: row.reason,
          invested: row.investedDrops,
          refunded: row.refundedDrops,
          held: row.heldDrops,
        }),
      )
      .sort(),
    investments: written.investments
      .map((row) =>
        line({
          payment: row.txHash,
          project: row.projectId,
          investor: row.investorAccount,
          amount: row.amountDrops,
          status: row.status,
          quoted_tier: row.quoteTier,
          quoted_price: row.quotePrice,
          quoted_units: row.quoteUnits,
          confirmed: row.confirmedDrops,
          units: row.totalUnits,
          at_once: row.unitsToDistribute,
          rounding: row.roundingDrops,
          reason: row.reason,
          paid: row.paidAt,
          confirmed_at: row.confirmedAt,
          decided_at: row.decidedAt,
          planned: row.payoutsPlanned,
        }),
      )
      .sort(),
    allocations: written.allocations
      .map((row) =>
        line({
          payment: investmentOf.get(row.investmentId)?.txHash ?? null,
          project: row.projectId,
          tier: row.tier,
          investor: row.investorAccount,
          drops: row.amountDrops,
          units: row.units,
        }),
      )
      .sort(),
    projects: written.projects
      .map((row) =>
        line({
          project: row.id,
          status: row.status,
          raised: row.raisedDrops,
          launched: row.launchedAt,
          ended: row.endedAt,
          reason: row.endReason,
          list: row.listHash,
        }),
      )
      .sort(),
    tiers: written.tiers
      .map((row) =>
        line({
          project: row.projectId,
          tier: row.tier,
          sold: row.soldUnits,
          value: row.valueDrops,
          opened: row.openedAt,
          completed: row.completedAt,
        }),
      )
      .sort(),
    actions: written.actions
      .map((row) =>
        line({ action: row.txHash, project: row.projectId, kind: row.action, status: row.status, detail: row.detail }),
      )
      .sort(),
    payouts: written.payouts
      .map((row) =>
        line({
          kind: row.kind,
          payment: row.paymentHash,
          part: row.part,
          project: row.projectId,
          has_investment: row.investmentId !== null,
          from: row.account,
          to: row.destination,
          tag: row.destinationTag,
          amount: row.amount,
          due: row.dueAt,
          status: row.status,
        }),
      )
      .sort(),
    events: written.events.map(({ event }) => event.id).sort(),
    told: written.events
      .filter(({ event }) => event.type !== 'investment.created')
      .map(({ event }) => `${event.projectId} ${event.id}`)
      .sort(byProject),
    recordedBalanceDrops: String(written.position.recordedBalanceDrops),
  };
}
