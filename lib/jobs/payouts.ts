import { runPayouts } from '#lib/payouts/run-payouts.ts';
import { defineJob } from './engine.ts';

/** Settles what is on its way and pays what is due. */
export const payouts = defineJob({
  name: 'payouts',
  schedule: 'every slice',
  budgetMs: 4_000,
  leaseSeconds: 15,
  async run(ctx, { deadlineMs }) {
    const paid = await runPayouts(ctx, { deadlineMs });
    // An account whose paying out failed by itself did not stop the others, but the run was not without fault.
    return { ...paid, faults: paid.broken > 0 ? [`payouts of ${paid.broken} account(s)`] : [] };
  },
});
