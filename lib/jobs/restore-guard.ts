import { watchRestoreGuard } from '#lib/payouts/restore-guard.ts';
import { defineJob } from './engine.ts';

/** Tells a database that was restored from a backup from the one that paid last. */
export const restoreGuard = defineJob({
  name: 'restore-guard',
  schedule: 'every cron call',
  budgetMs: 250,
  leaseSeconds: 15,
  async run(ctx) {
    await watchRestoreGuard(ctx);
    return {};
  },
});
