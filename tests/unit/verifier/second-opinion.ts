import { type Outcome, paidUnits } from './outcome.ts';
import { ACCOUNT } from './published-source.ts';
import type { DrawnSale } from './random-sales/sale.ts';
import { keepDayBook } from './second-implementation/day-book.ts';
import { sharesOf } from './second-implementation/distributions.ts';
import { allocationRows, cancellationRow, paymentRow, payoutRows } from './second-implementation/rows.ts';

/** The sale through the implementation that knows docs/verification.md and nothing else. */
export function bySecondImplementation({ projects, exceptions, history, last }: DrawnSale): Outcome {
  const published = projects.map(({ canonical, lists }, index) => ({
    canonical,
    lists: [...lists.values()],
    exceptions: index === 0 ? exceptions : [],
  }));
  const book = keepDayBook(ACCOUNT, published, history, last);
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
