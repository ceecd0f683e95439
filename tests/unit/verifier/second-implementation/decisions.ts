import type { ArrivedPayment, Entry } from './feed.ts';
import type { Judgement } from './judge.ts';
import type { Decision } from './results.ts';

/** The row that a judgement makes in the place of `by`: the payment itself, or the move that assigned it. */
export function decisionOf(payment: ArrivedPayment, by: Entry, judgement: Judgement, smallestRefund: bigint): Decision {
  if ('refusedFor' in judgement) return refused(payment, judgement.refusedFor, smallestRefund);
  const { parts, refunded, rounding } = judgement;
  return {
    ...rowOf(payment),
    by,
    assigned: by.is === 'move',
    outcome: refunded > 0n ? 'partial' : 'invested',
    invested: payment.received - refunded,
    refunded,
    rounding,
    allocations: parts.map(({ tier, drops, units }) => ({ tier: tier.tier, drops, units })),
  };
}

export function refused(payment: ArrivedPayment, reason: string, smallestRefund: bigint): Decision {
  if (payment.received < smallestRefund) return heldWhole(payment, reason);
  return { ...rowOf(payment), outcome: 'refunded', reason, refunded: payment.received };
}

export function heldWhole(payment: ArrivedPayment, reason: string): Decision {
  return { ...rowOf(payment), outcome: 'held', reason, held: payment.received };
}

function rowOf(payment: ArrivedPayment): Decision {
  return {
    payment,
    by: payment,
    assigned: false,
    outcome: 'invested',
    reason: null,
    invested: 0n,
    refunded: 0n,
    held: 0n,
    rounding: 0n,
    allocations: [],
  };
}
