import { type Drops, formatDrops, formatPrice, formatUnits } from '@tranche/rules/amounts.ts';
import { investmentId } from '@tranche/rules/ids.ts';
import type { Effect, SalePayment } from '@tranche/rules/types.ts';
import type { PublishedAllocation, PublishedPayment } from './published.ts';
import type { ParsedTerms } from './terms.ts';

/** A payment of the feed with what its refund needs; the reducer passes it on as it is. */
export interface TaggedPayment extends SalePayment {
  sourceTag: number | null;
}

type Decided = Extract<Effect, { type: 'invested' | 'refused' }>;

const iso = (ms: number): string => new Date(ms).toISOString();
const sourceTagOf = (payment: SalePayment): number | null => (payment as TaggedPayment).sourceTag;

const row = (
  payment: SalePayment,
  position: { ledgerIndex: number; transactionIndex: number; closedAtMs: number },
  rest: Omit<Figures, 'received'> & Pick<PublishedPayment, 'outcome' | 'reason' | 'assigned_by' | 'investment_id'>,
  decimals: number,
): PublishedPayment => ({
  transaction_hash: payment.hash,
  ledger_index: position.ledgerIndex,
  transaction_index: position.transactionIndex,
  decided_at: iso(position.closedAtMs),
  payment_ledger_index: payment.ledgerIndex,
  sender: payment.sender,
  destination_tag: payment.destinationTag,
  source_tag: sourceTagOf(payment),
  received_xrp: formatDrops(payment.receivedDrops),
  outcome: rest.outcome,
  reason: rest.reason,
  invested_xrp: formatDrops(rest.invested),
  refunded_xrp: formatDrops(rest.refunded),
  held_xrp: formatDrops(rest.held),
  rounding_xrp: formatDrops(rest.rounding),
  total_tokens: formatUnits(rest.units, decimals),
  investment_id: rest.investment_id,
  assigned_by: rest.assigned_by,
});

interface Figures {
  invested: Drops;
  refunded: Drops;
  held: Drops;
  rounding: Drops;
  units: bigint;
}
const NOTHING: Figures = { invested: 0n, refunded: 0n, held: 0n, rounding: 0n, units: 0n };

/** The row that a decision of the reducer must have in `/payments`. Pure. */
export function expectedPayment(effect: Decided, { terms }: ParsedTerms): PublishedPayment {
  const { payment } = effect;
  const { decimals } = terms.token;
  const id = investmentId(payment.hash);
  if (effect.type === 'refused') {
    const { refundedDrops: refunded, heldDrops: held, reason } = effect;
    const outcome = refunded > 0n ? 'refunded' : 'held';
    return row(
      payment,
      payment,
      { ...NOTHING, refunded, held, outcome, reason, investment_id: id, assigned_by: null },
      decimals,
    );
  }
  return row(
    payment,
    effect.assignedBy ?? payment,
    {
      invested: effect.investedDrops,
      refunded: effect.refundedDrops,
      held: 0n,
      rounding: effect.roundingDrops,
      units: effect.totalUnits,
      outcome: effect.refundedDrops > 0n ? 'partial' : 'invested',
      reason: null,
      investment_id: id,
      assigned_by: effect.assignedBy?.hash ?? null,
    },
    decimals,
  );
}

/** The row of a payment that turned up too late to be decided. */
export const expectedLate = (payment: TaggedPayment, { terms }: ParsedTerms): PublishedPayment =>
  row(
    payment,
    payment,
    {
      ...NOTHING,
      held: payment.receivedDrops,
      outcome: 'held',
      reason: 'late_discovery',
      investment_id: null,
      assigned_by: null,
    },
    terms.token.decimals,
  );

/** A row of `/allocations` but for when it was confirmed: how many ledgers that takes, the operator sets. */
export type ExpectedAllocation = Omit<PublishedAllocation, 'confirmed_at'>;

/** The rows that an invested payment must have in `/allocations`, from the row that it must have in `/payments`. Pure. */
export function expectedAllocations(
  { parts }: Effect & { type: 'invested' },
  payment: PublishedPayment,
  { terms }: ParsedTerms,
): ExpectedAllocation[] {
  return parts.map((part) => ({
    investment_id: payment.investment_id ?? '',
    transaction_hash: payment.transaction_hash,
    ledger_index: payment.ledger_index,
    transaction_index: payment.transaction_index,
    investor_account: payment.sender,
    tier: part.tier,
    price_per_token: formatPrice(terms.tiers.find(({ tier }) => tier === part.tier)?.price_per_token ?? 0n),
    amount_xrp: formatDrops(part.drops),
    tokens: formatUnits(part.units, terms.token.decimals),
    assigned_by: payment.assigned_by,
    decided_at: payment.decided_at,
  }));
}
