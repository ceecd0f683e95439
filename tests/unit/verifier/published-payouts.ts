import type { PublishedPayout as VerifiersPayout } from '@tranche/verifier/published.ts';
import type { Row } from './outcome.ts';
import { DEPOSIT, TREASURY } from './random-sales/accounts.ts';
import type { DrawnSale } from './random-sales/sale.ts';
import { sharesOf } from './second-implementation/distributions.ts';
import type { PublishedPayout } from './second-implementation/publications.ts';
import type { BookResult, Decision, SaleResult } from './second-implementation/results.ts';
import { cancellationRow, paymentRow, payoutRows } from './second-implementation/rows.ts';

export type PayoutRow = PublishedPayout & VerifiersPayout;

/** `/payouts` of the sales of an account under custody: what is owed, as far as it is paid. */
export function publishedPayouts(drawn: DrawnSale, { sales }: BookResult): PayoutRow[] {
  return sales.flatMap((sale) => [
    ...lastRows(sale.decisions).flatMap((decision) => ofPayment(drawn, sale, decision)),
    ...(sale.terms.project === drawn.projects[0]?.row.id ? releases(drawn, sale.terms.project) : []),
  ]);
}

/** A payment that was held first and then assigned has two rows in `/payments`: its payouts stand by the last. */
function lastRows(decisions: Decision[]): Decision[] {
  const last = new Map(decisions.map((decision) => [decision.payment.hash, decision]));
  return decisions.filter((decision) => last.get(decision.payment.hash) === decision);
}

function ofPayment(drawn: DrawnSale, sale: SaleResult, decision: Decision): PayoutRow[] {
  const { hash } = decision.payment;
  const paid = (kind: string, part: number) => paidBy(drawn, `${hash} ${kind} ${part}`);
  const row = (given: Row, unpaid: 'owed' | 'cancelled' = 'owed') =>
    ({
      transaction_hash: null,
      ledger_index: null,
      status: unpaid,
      ...given,
      project: sale.terms.project,
      investment_id: paymentRow(sale, decision).investment_id,
      payment_hash: hash,
      decided_ledger_index: decision.by.ledger,
      decided_transaction_index: decision.by.index,
      ...paid(String(given.kind), Number(given.part)),
    }) as PayoutRow;
  const rows = payoutRows(sale, decision).map((given) =>
    row(given, given.kind === 'distribution' && sale.status === 'cancelled' ? 'cancelled' : 'owed'),
  );
  if (decision.held > 0n && paid('refund', 1) !== null) {
    const [back] = payoutRows(sale, { ...decision, refunded: decision.held });
    if (back !== undefined) rows.push(row(back));
  }
  if (sale.status === 'cancelled' && decision.invested > 0n) {
    const units = sharesOf(sale, decision)
      .filter(({ part }) => paid('distribution', part) !== null)
      .reduce((sum, share) => sum + share.units, 0n);
    const back = cancellationRow(sale, decision, units);
    if (back !== null) rows.push(row(back));
  }
  return rows;
}

function paidBy({ paid, last }: DrawnSale, key: string) {
  const by = paid.get(key);
  return by === undefined || by.ledger_index > last.ledger_index ? null : { status: 'validated', ...by };
}

function releases({ releases: made, last }: DrawnSale, project: string): PayoutRow[] {
  return made
    .filter(({ ledger_index }) => ledger_index <= last.ledger_index)
    .map((by, index) => ({
      id: `pay_${String(index).padStart(22, '0')}`,
      project,
      kind: 'release',
      part: 1,
      investment_id: null,
      payment_hash: null,
      decided_ledger_index: null,
      decided_transaction_index: null,
      account: DEPOSIT,
      destination: TREASURY,
      destination_tag: null,
      amount_xrp: '1.000000',
      tokens: null,
      due_at: new Date(0).toISOString(),
      status: 'validated',
      ...by,
    }));
}

/** What is left to be paid when all that is owed is paid, and what was held sent back. */
export function leftToPay(drawn: DrawnSale, book: BookResult, target: string) {
  const owed = publishedPayouts(drawn, book).filter(({ project, status }) => project === target && status === 'owed');
  const held = book.sales
    .filter(({ terms }) => terms.project === target)
    .flatMap(({ decisions }) => decisions)
    .filter((decision) => decision.held > 0n)
    .map(({ payment }) => payment.hash);
  return { owed, held };
}
