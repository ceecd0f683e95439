import { sixDigits } from './arithmetic.ts';
import { takeBack } from './cancelled-sales.ts';
import { sharesOf, unitsOf } from './distributions.ts';
import { identifier } from './identifiers.ts';
import type { Decision, SaleResult } from './results.ts';

type Row = Record<string, string | number | null>;

/** One row of `/payments` (docs/verification.md section 7). */
export function paymentRow({ terms }: SaleResult, decision: Decision): Row {
  const { payment, by } = decision;
  return {
    transaction_hash: payment.hash,
    ledger_index: by.ledger,
    transaction_index: by.index,
    decided_at: iso(by.at),
    payment_ledger_index: payment.ledger,
    sender: payment.sender,
    destination_tag: payment.tag,
    source_tag: payment.sourceTag,
    received_xrp: sixDigits(payment.received),
    outcome: decision.outcome,
    reason: decision.reason,
    invested_xrp: sixDigits(decision.invested),
    refunded_xrp: sixDigits(decision.refunded),
    held_xrp: sixDigits(decision.held),
    rounding_xrp: sixDigits(decision.rounding),
    total_tokens: sixDigits(unitsOf(decision), terms.token.decimals),
    investment_id: decision.reason === 'late_discovery' ? null : identifier('inv', payment.hash),
    assigned_by: decision.assigned ? by.hash : null,
  };
}

/** Its rows of `/allocations`. */
export function allocationRows({ terms }: SaleResult, { payment, by, assigned, allocations }: Decision): Row[] {
  return allocations.map(({ tier, drops, units }) => ({
    investment_id: identifier('inv', payment.hash),
    transaction_hash: payment.hash,
    ledger_index: by.ledger,
    transaction_index: by.index,
    investor_account: payment.sender,
    tier,
    price_per_token: priceText(terms.tiers.find((each) => each.tier === tier)?.price_per_token ?? ''),
    amount_xrp: sixDigits(drops),
    tokens: sixDigits(units, terms.token.decimals),
    assigned_by: assigned ? by.hash : null,
    decided_at: iso(by.at),
  }));
}

/** What of its rows of `/payouts` the rules fix, but for the refund of a cancelled sale. */
export function payoutRows(sale: SaleResult, decision: Decision): Row[] {
  const { distributor, deposit_address, token } = sale.terms;
  const tokens = sharesOf(sale, decision).map(({ part, units, dueAt }) => ({
    ...payout(decision, 'distribution', part),
    account: distributor,
    amount_xrp: null,
    tokens: sixDigits(units, token.decimals),
    due_at: iso(dueAt),
  }));
  if (decision.refunded === 0n) return tokens;
  return [...tokens, refund(decision, 1, deposit_address, decision.refunded, decision.by.at)];
}

/** The refund of the refund of a cancelled sale, or null when what goes back is too little. */
export function cancellationRow(sale: SaleResult, decision: Decision, paidUnits: bigint): Row | null {
  const { owed } = takeBack(sale, decision, paidUnits);
  return owed === 0n ? null : refund(decision, 2, sale.terms.deposit_address, owed, sale.endedAt ?? 0);
}

function refund(decision: Decision, part: number, account: string, drops: bigint, dueAt: number): Row {
  return {
    ...payout(decision, 'refund', part),
    account,
    amount_xrp: sixDigits(drops),
    tokens: null,
    due_at: iso(dueAt),
  };
}

function payout({ payment }: Decision, kind: string, part: number): Row {
  return {
    id: identifier('pay', kind, payment.hash, String(part)),
    kind,
    part,
    destination: payment.sender,
    destination_tag: payment.sourceTag,
  };
}

function priceText(price: string): string {
  const [whole = '', fraction = ''] = price.split('.');
  return `${whole}.${fraction.replace(/0+$/, '').padEnd(2, '0')}`;
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
