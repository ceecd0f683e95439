import { planDistributions } from '#lib/sales/plan-distributions.ts';
import { planVestingLocks } from '#lib/sales/plan-vesting-locks.ts';
import { defineJob } from './engine.ts';

/** Owes the tokens of sales that distribute at their end, and the locks of what vesting owes then. */
export const planning = defineJob({
  name: 'planning',
  schedule: 'every slice',
  budgetMs: 1_000,
  leaseSeconds: 15,
  async run(ctx, { deadlineMs }) {
    const planned = await planDistributions(ctx, deadlineMs);
    const locks = await planVestingLocks(ctx, deadlineMs);
    const broken = planned.broken + locks.broken;
    return {
      planned: planned.planned,
      more: planned.more || locks.more,
      broken,
      faults: broken > 0 ? [`planning of ${broken} sale(s)`] : [],
    };
  },
});
