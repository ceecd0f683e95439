import { refundCancelledSales } from '#lib/sales/cancelled-refunds/refund-cancelled-sales.ts';
import { defineJob } from './engine.ts';

/** Takes back what cancelled sales have not distributed, and owes its XRP to the payers. */
export const refunds = defineJob({
  name: 'refunds',
  schedule: 'every slice',
  budgetMs: 1_500,
  leaseSeconds: 15,
  async run(ctx, { deadlineMs }) {
    const result = await refundCancelledSales(ctx, deadlineMs);
    return { ...result, faults: result.broken > 0 ? [`refunds of ${result.broken} sale(s)`] : [] };
  },
});
