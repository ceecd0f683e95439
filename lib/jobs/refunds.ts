import { unwindSales } from '#lib/sales/unwind/unwind-sales.ts';
import { defineJob } from './engine.ts';

/** Takes back what cancelled sales have not distributed, and owes its XRP to the payers. */
export const refunds = defineJob({
  name: 'refunds',
  schedule: 'every slice',
  budgetMs: 1_500,
  leaseSeconds: 15,
  async run(ctx, { deadlineMs }) {
    const unwound = await unwindSales(ctx, deadlineMs);
    return { ...unwound, faults: unwound.broken > 0 ? [`refunds of ${unwound.broken} sale(s)`] : [] };
  },
});
