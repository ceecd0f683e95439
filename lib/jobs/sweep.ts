import { sweepDeliveries } from '#lib/webhooks/delivery/sweep.ts';
import { defineJob } from './engine.ts';

/** Brings back deliveries that were lost between two steps. */
export const sweep = defineJob({
  name: 'sweep',
  schedule: 'every slice',
  budgetMs: 500,
  leaseSeconds: 15,
  run: (ctx) => sweepDeliveries(ctx),
});
