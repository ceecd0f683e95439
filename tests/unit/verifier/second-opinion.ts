import { type Outcome, paidUnits } from './outcome.ts';
import { ACCOUNT } from './published-source.ts';
import { DEPOSIT } from './random-sales/accounts.ts';
import { credentialIn } from './random-sales/credentials.ts';
import type { DrawnSale } from './random-sales/sale.ts';
import { checkCustody } from './second-implementation/custody.ts';
import { keepDayBook } from './second-implementation/day-book.ts';
import { sharesOf } from './second-implementation/distributions.ts';
import type { PublishedPayout } from './second-implementation/publications.ts';
import type { BookResult } from './second-implementation/results.ts';
import { allocationRows, cancellationRow, paymentRow, payoutRows } from './second-implementation/rows.ts';

/** The sale through the implementation that knows docs/verification.md and nothing else. */
export const bySecondImplementation = (sale: DrawnSale): Outcome => outcomeOf(bookOf(sale));

/** What its custody shows, beside the rows of `/payouts`. */
export function custodyBySecondImplementation(sale: DrawnSale, payouts: PublishedPayout[], book: BookResult) {
  const { projects, history, distributed, last, throughLedger } = sale;
  const received = distributed.filter(({ tx_json }) => tx_json.Destination !== DEPOSIT);
  return checkCustody(book, projects[0]?.row.id ?? '', [...history, ...received], payouts, {
    asOf: last.ledger_index,
    throughLedger,
  });
}

/** The first sale and those that it knows of. */
export function bookOf({ projects, exceptions, history, last }: DrawnSale): BookResult {
  const published = projects.map(({ canonical, lists }, index) => ({
    canonical,
    lists: [...lists.values()],
    exceptions: index === 0 ? exceptions : [],
  }));
  return keepDayBook(ACCOUNT, projects[0]?.row.id ?? '', published, history, last, credentialIn);
}

export function outcomeOf(book: BookResult): Outcome {
  return {
    sales: book.sales.map((sale) => ({
      project: sale.terms.project,
      status: sale.status,
      endReason: sale.endReason,
      endedAt: sale.endedAt,
      raised: sale.raised,
      soldByTier: sale.soldByTier,
      listHash: sale.listHash,
      payments: sale.decisions.map((decision) => paymentRow(sale, decision)),
      allocations: sale.decisions.flatMap((decision) => allocationRows(sale, decision)),
      payouts: sale.decisions.flatMap((decision) => payoutRows(sale, decision)),
      unwinding: sale.decisions.flatMap((decision) => {
        if (sale.status !== 'cancelled' || decision.invested === 0n) return [];
        const units = sharesOf(sale, decision).map((share) => share.units);
        const payment = decision.payment.hash;
        return [{ payment, back: cancellationRow(sale, decision, paidUnits(payment, units)) }];
      }),
    })),
    strays: book.strays.map(({ payment, reason, refunded, held }) => ({ hash: payment.hash, reason, refunded, held })),
    held: book.held,
  };
}
