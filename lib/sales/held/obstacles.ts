import { and, eq, inArray } from 'drizzle-orm';
import { investments, moves } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/base/db.ts';
import type { PaymentRow } from '../feed/load-state.ts';

/** What decides, beside the payment's own row, whether a person may still act on it. */
export interface Circumstances {
  isInvestment: boolean;
  /** An `assign` move of it that is on its way: submitted, or seen and not decided. */
  openAssign: { projectId: string; txHash: string } | null;
}

const ASSIGN_IS_OPEN = 'An assign of this payment is waiting for the ledger.';

const nothingHeld = (payment: PaymentRow): string =>
  payment.outcome === 'pending' ? 'The payment is not decided yet.' : 'Nothing of the payment is held.';

/** Why a payment cannot be credited to any project, or null. The rule book asks the same (feed/load-parties.ts). Pure. */
export function assignObstacle(payment: PaymentRow, { isInvestment, openAssign }: Circumstances): string | null {
  if (payment.heldDrops === 0n) return nothingHeld(payment);
  if (isInvestment) return 'The payment is an investment already, and decided.';
  if (payment.transactionType !== 'Payment') {
    return `What arrives by ${payment.transactionType} is never credited: refund it.`;
  }
  if (payment.outcome !== 'held' || payment.heldDrops !== payment.receivedDrops) {
    return 'Only a payment that is held whole can be assigned.';
  }
  return openAssign === null ? null : ASSIGN_IS_OPEN;
}

/** Why what is held cannot be sent back, or null. Pure. */
export function refundObstacle(payment: PaymentRow, { openAssign }: Circumstances): string | null {
  if (payment.heldDrops === 0n) return nothingHeld(payment);
  if (payment.sender === payment.account) return 'The payment came from the deposit account itself.';
  return openAssign === null ? null : ASSIGN_IS_OPEN;
}

/** What stands about payments beside their rows, by hash: two queries for any number. */
export async function loadCircumstances(db: Db, hashes: readonly string[]): Promise<(hash: string) => Circumstances> {
  const invested = await db
    .select({ txHash: investments.txHash })
    .from(investments)
    .where(inArray(investments.txHash, [...hashes]));
  const open = await db
    .select({ paymentHash: moves.paymentHash, projectId: moves.projectId, txHash: moves.txHash })
    .from(moves)
    .where(
      and(
        eq(moves.move, 'assign'),
        inArray(moves.status, ['submitted', 'seen']),
        inArray(moves.paymentHash, [...hashes]),
      ),
    );
  const isInvestment = new Set(invested.map((row) => row.txHash));
  const assignOf = new Map(open.map(({ paymentHash, ...move }) => [paymentHash, move]));
  return (hash) => ({ isInvestment: isInvestment.has(hash), openAssign: assignOf.get(hash) ?? null });
}
