import { pruneKeys } from '#lib/base/idempotency-rows.ts';
import { defineJob } from '#lib/jobs/engine.ts';

/** Removes answers that are kept under idempotency keys no longer. */
export const keyPruning = defineJob({
  name: 'key-pruning',
  schedule: { everySeconds: 60 },
  budgetMs: 500,
  leaseSeconds: 15,
  async run(ctx, { deadlineMs, stillMine }) {
    let removed = 0;
    for (;;) {
      const batch = await pruneKeys(ctx.db);
      removed += batch;
      if (batch === 0) return { removed };
      if (ctx.clock.nowMs() >= deadlineMs || !(await stillMine())) return { removed, more: true };
    }
  },
});
