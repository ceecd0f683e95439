import { hasDueFirstAttempts } from '#lib/webhooks/delivery/dispatch.ts';
import { fanOutEvents } from '#lib/webhooks/delivery/fan-out.ts';
import { wakeDispatch } from '#lib/webhooks/delivery/wake.ts';
import { defineJob } from './engine.ts';

/** Gives events their deliveries, and wakes the job that sends them. What is left is written by that one. */
export const fanOut = defineJob({
  name: 'fan-out',
  schedule: 'every slice',
  budgetMs: 1_000,
  leaseSeconds: 15,
  async run(ctx, { deadlineMs }) {
    const { deliveries } = await fanOutEvents(ctx, deadlineMs);
    if (await hasDueFirstAttempts(ctx)) await wakeDispatch(ctx);
    return { deliveries };
  },
});
