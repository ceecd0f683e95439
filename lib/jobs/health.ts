import { watchHealth } from '#lib/ops/status/watch-health.ts';
import { defineJob } from './engine.ts';

/** Announces what has changed in the platform's health. It holds no lease: it notes the outage of a database that has none to give. */
export const health = defineJob({
  name: 'health',
  schedule: 'every slice',
  budgetMs: 250,
  leaseSeconds: null,
  async run(ctx) {
    await watchHealth(ctx);
    return {};
  },
});
