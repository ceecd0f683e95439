import { countMinutes } from '#lib/ops/status/delivery-minutes.ts';
import { defineJob } from './engine.ts';

/** Counts webhook attempts by the minute, for the metrics. */
export const attemptCounts = defineJob({
  name: 'attempt-counts',
  schedule: { everySeconds: 60 },
  budgetMs: 250,
  leaseSeconds: 15,
  run: async (ctx) => ({ rows: await countMinutes(ctx.db) }),
});
