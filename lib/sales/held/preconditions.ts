import { and, eq, inArray, not } from 'drizzle-orm';
import { actions, investments, type PaymentRow, payments } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/base/db.ts';
import { isOfThisPeriod } from '../feed/load-state.ts';

/** What decides, beside the payment's own row, whether a person may still act on it. */
export interface Preconditions {
  isInvestment: boolean;
  /** An `assign` action of it that is on its way: submitted, or seen and not decided. */
  openAssign: { projectId: string; txHash: string } | null;
  /** It came before the account's signers were replaced. */
  isOfEarlierPeriod: boolean;
}

const ASSIGN_IS_OPEN = 'An assign action for this payment is pending.';

const IS_EARLIER =
  'The payment came before the account’s signers were replaced: its witnesses do not know it, and sign nothing for it.';

const nothingHeld = (payment: PaymentRow): string =>
  payment.outcome === 'pending' ? 'The payment is not decided yet.' : 'No part of the payment is held.';

/** Why a payment cannot be credited to any project, or null. The rule book asks the same (feed/load-sender-state.ts). Pure. */
export function whyNotAssignable(
  payment: PaymentRow,
  { isInvestment, openAssign, isOfEarlierPeriod }: Preconditions,
): string | null {
  if (payment.heldDrops === 0n) return nothingHeld(payment);
  if (isOfEarlierPeriod) return IS_EARLIER;
  if (isInvestment) return 'The payment is already an investment.';
  if (payment.transactionType !== 'Payment') {
    return `What arrives by ${payment.transactionType} is never credited: refund it.`;
  }
  if (payment.outcome !== 'held' || payment.heldDrops !== payment.receivedDrops) {
    return 'Only a payment that is held whole can be assigned.';
  }
  return openAssign === null ? null : ASSIGN_IS_OPEN;
}

/** Why what is held cannot be sent back, or null. Pure. */
export function whyNotRefundable(payment: PaymentRow, { openAssign, isOfEarlierPeriod }: Preconditions): string | null {
  if (payment.heldDrops === 0n) return nothingHeld(payment);
  if (isOfEarlierPeriod) return IS_EARLIER;
  if (payment.sender === payment.account) return 'The payment came from the deposit account itself.';
  return openAssign === null ? null : ASSIGN_IS_OPEN;
}

/** What stands about payments beside their rows, by hash: three queries for any number. */
export async function loadPreconditions(db: Db, hashes: readonly string[]): Promise<(hash: string) => Preconditions> {
  const invested = await db
    .select({ txHash: investments.txHash })
    .from(investments)
    .where(inArray(investments.txHash, [...hashes]));
  const open = await db
    .select({ paymentHash: actions.paymentHash, projectId: actions.projectId, txHash: actions.txHash })
    .from(actions)
    .where(
      and(
        eq(actions.action, 'assign'),
        inArray(actions.status, ['submitted', 'seen']),
        inArray(actions.paymentHash, [...hashes]),
      ),
    );
  const earlier = await db
    .select({ txHash: payments.txHash })
    .from(payments)
    .where(and(inArray(payments.txHash, [...hashes]), not(isOfThisPeriod())));
  const isEarlier = new Set(earlier.map((row) => row.txHash));
  const isInvestment = new Set(invested.map((row) => row.txHash));
  const assignOf = new Map(open.map(({ paymentHash, ...action }) => [paymentHash, action]));
  return (hash) => ({
    isInvestment: isInvestment.has(hash),
    openAssign: assignOf.get(hash) ?? null,
    isOfEarlierPeriod: isEarlier.has(hash),
  });
}
