import type { PaymentRow } from '../feed/load-state.ts';

/** What decides, beside the payment's own row, whether a person may still act on it. */
export interface Circumstances {
  isInvestment: boolean;
  /** An `assign` move of it is on its way: submitted, or seen and not decided. */
  assignIsOpen: boolean;
}

const ASSIGN_IS_OPEN = 'An assign of this payment is waiting for the ledger.';

const nothingHeld = (payment: PaymentRow): string =>
  payment.outcome === 'pending' ? 'The payment is not decided yet.' : 'Nothing of the payment is held.';

/** Why a payment cannot be credited to any project, or null. The rule book asks the same (feed/load-parties.ts). Pure. */
export function assignObstacle(payment: PaymentRow, { isInvestment, assignIsOpen }: Circumstances): string | null {
  if (payment.heldDrops === 0n) return nothingHeld(payment);
  if (isInvestment) return 'The payment is an investment already, and decided.';
  if (payment.transactionType !== 'Payment') {
    return `What arrives by ${payment.transactionType} is never credited: refund it.`;
  }
  if (payment.outcome !== 'held' || payment.heldDrops !== payment.receivedDrops) {
    return 'Only a payment that is held whole can be assigned.';
  }
  return assignIsOpen ? ASSIGN_IS_OPEN : null;
}

/** Why what is held cannot be sent back, or null. Pure. */
export function refundObstacle(payment: PaymentRow, { assignIsOpen }: Circumstances): string | null {
  if (payment.heldDrops === 0n) return nothingHeld(payment);
  if (payment.sender === payment.account) return 'The payment came from the deposit account itself.';
  return assignIsOpen ? ASSIGN_IS_OPEN : null;
}
