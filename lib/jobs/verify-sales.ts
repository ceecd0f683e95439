import { z } from 'zod';
import { runVerificationSlice } from '#lib/sales/verification/run-slice.ts';
import { startRuns } from '#lib/sales/verification/start-runs.ts';
import { wakeDispatch } from '#lib/webhooks/delivery/wake.ts';
import { beginLater, defineJob } from './engine.ts';

/** The verification of one sale. What it has found stands in `verifications`, under the id of the run. */
export const saleVerification = defineJob({
  name: 'verify-sales',
  schedule: 'every slice',
  budgetMs: 20_000,
  leaseSeconds: 120,
  hasManyRuns: true,
  cursor: z.null(),
  async run(ctx, { run, deadlineMs, stillMine }) {
    const { goesOn, deliveries } = await runVerificationSlice(ctx, { id: run, deadlineMs, stillMine });
    if (deliveries > 0) await wakeDispatch(ctx);
    return { next: goesOn ? { cursor: null } : null };
  },
});

/**
 * Begins today's verification of every sale that has not had one, and takes up those that were lost on their way: a queue
 * message each, so that none waits for another. Gives how many were begun.
 */
export const verificationStart = defineJob({
  name: 'verification-start',
  schedule: 'every cron call',
  budgetMs: 2_000,
  leaseSeconds: 15,
  cursor: z.null(),
  async run(ctx, { deadlineMs, stillMine }) {
    let started = 0;
    for (const [index, { id }] of (await startRuns(ctx)).entries()) {
      if (index > 0 && (ctx.clock.nowMs() >= deadlineMs || !(await stillMine()))) {
        // The next slice finds the others. While the queue takes no message, the next call does.
        return { started, next: started > 0 ? { cursor: null } : null };
      }
      if (await beginLater(ctx, saleVerification, id, null)) started += 1;
    }
    return { started };
  },
});
