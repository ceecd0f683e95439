import { planDistributions } from '#lib/sales/plan-distributions.ts';
import { defineJob } from './engine.ts';

/** Owes the tokens of sales that distribute at their end, and the locks of what vesting owes then. */
export const planning = defineJob({
  name: 'planning',
  schedule: 'every slice',
  budgetMs: 1_000,
  leaseSeconds: 15,
  async run(ctx, { deadlineMs }) {
    const planned = await planDistributions(ctx, deadlineMs);
    return { ...planned, faults: planned.broken > 0 ? [`planning of ${planned.broken} sale(s)`] : [] };
  },
});
