import { pruneKeys } from '#lib/base/idempotency-rows.ts';
import { pruneRuns } from '#lib/base/job-rows.ts';
import { pruneEvents } from '#lib/webhooks/retention/prune-events.ts';
import { defineJob } from './engine.ts';

/** Takes away what has become too old since its last run: there is never a night's worth of it. */
export const pruning = defineJob({
  name: 'pruning',
  schedule: { everySeconds: 60 },
  budgetMs: 250,
  leaseSeconds: 15,
  async run(ctx, { deadlineMs }) {
    try {
      const { events } = await pruneEvents(ctx, deadlineMs);
      return { events };
    } finally {
      await pruneKeys(ctx.db);
      await pruneRuns(ctx.db);
    }
  },
});
