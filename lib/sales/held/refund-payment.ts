import { and, eq, sql } from 'drizzle-orm';
import { payouts } from '#drizzle/schema/payouts.ts';
import { type PaymentRow, payments } from '#drizzle/schema/sale.ts';
import { appendAudit } from '#lib/audit.ts';
import type { Tx } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { formatDrops } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import { createPayouts, type NewPayout } from '#lib/payouts/create-payouts.ts';
import { newRefund } from '../feed/new-payouts.ts';
import type { PaymentResource } from './contracts.ts';
import { findPayment, loadPaymentResources, lockPayment } from './payment-resource.ts';
import { loadPreconditions, whyNotRefundable } from './preconditions.ts';

/**
 * A refund's part 1 is what the payment did not buy, or all of one that was held; part 2 the refund of a cancelled sale
 * (drizzle/schema/payouts.ts). What that held of an investment is part 3: witnesses sign no other.
 */
const FIRST_FREE_PART = 3;

/**
 * Sends all that is held of a payment back to its sender: it is owed from here on, and paid like every refund. Throws
 * `not_found`, `conflict` with the reason when nothing is held, an assign of it is under way, or it is not held any more as
 * `heldAs` says.
 */
export async function refundPayment(
  ctx: Ctx,
  input: { transactionHash: string; reason: string; heldAs?: Pick<PaymentRow, 'heldDrops' | 'reason'> },
): Promise<PaymentResource> {
  const resource = await ctx.db.transaction(async (tx) => {
    const payment = await lockPayment(tx, input.transactionHash);
    const preconditions = (await loadPreconditions(tx, [payment.txHash]))(payment.txHash);
    const obstacle = whyNotRefundable(payment, preconditions);
    if (obstacle !== null) throw new PlatformError('conflict', obstacle);
    const { heldAs = payment } = input;
    if (heldAs.heldDrops !== payment.heldDrops || heldAs.reason !== payment.reason) {
      throw new PlatformError('conflict', 'The held amount or its reason changed meanwhile. Send the request again.');
    }

    const released = await tx
      .update(payments)
      .set({
        refundedDrops: sql`${payments.refundedDrops} + ${payments.heldDrops}`,
        heldDrops: 0n,
        outcome: sql`case when ${payments.investedDrops} > 0 then 'partial' else 'refunded' end`,
      })
      .where(and(eq(payments.txHash, payment.txHash), eq(payments.heldDrops, payment.heldDrops)))
      .returning({ txHash: payments.txHash });
    const owed = await owedOf(tx, payment, preconditions.isInvestment);
    // Recorded as refunded and owed to nobody, or the reverse: that must never be committed.
    if (released.length !== 1 || (await createPayouts(tx, [owed])) !== 1) {
      throw new Error(`The refund of ${payment.txHash} was not written`);
    }
    await appendAudit(tx, ctx, {
      action: 'payment.refund',
      subject: payment.txHash,
      projectId: payment.projectId ?? undefined,
      reason: input.reason,
      before: { outcome: payment.outcome, reason: payment.reason, held_xrp: formatDrops(payment.heldDrops) },
      after: { payout: owed.id, destination: owed.destination, amount_xrp: formatDrops(owed.amount) },
    });
    const [refunded] = await loadPaymentResources(tx, [await findPayment(tx, payment.txHash)], ctx.clock.nowMs());
    return refunded;
  });
  if (resource === undefined) throw new Error(`Payment ${input.transactionHash} is gone`);
  return resource;
}

async function owedOf(tx: Tx, payment: PaymentRow, isInvestment: boolean): Promise<NewPayout> {
  const taken = await tx
    .select({ part: payouts.part })
    .from(payouts)
    .where(and(eq(payouts.kind, 'refund'), eq(payouts.paymentHash, payment.txHash)));
  const parts = taken.map((row) => row.part);
  const part = isInvestment || parts.includes(1) ? Math.max(FIRST_FREE_PART, ...parts.map((each) => each + 1)) : 1;
  return newRefund(
    payment.account,
    { hash: payment.txHash, sender: payment.sender, projectId: payment.projectId, hasInvestment: isInvestment },
    { part, drops: payment.heldDrops, dueAtMs: await databaseTimeMs(tx) },
  );
}

/** By the clock that says when it has come: an app whose own is ahead would only put it off. */
async function databaseTimeMs(tx: Tx): Promise<number> {
  const { rows } = await tx.execute<{ now: string }>(sql`select now()::text as now`);
  const [row] = rows;
  if (row === undefined) throw new Error('The database tells no time');
  return Date.parse(row.now);
}
