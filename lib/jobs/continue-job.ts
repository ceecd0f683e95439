import type { Ctx } from '#lib/ctx.ts';
import { dispatchDeliveries } from './dispatch-deliveries.ts';
import { processPayments } from './process-payments.ts';

/** The next slice of the work that a QStash message names. */
export async function continueJob(
  ctx: Ctx,
  input: { job: 'process-payments' | 'deliveries' },
): Promise<{ job: string; continued: boolean }> {
  switch (input.job) {
    case 'process-payments':
      return { job: input.job, continued: (await processPayments(ctx)).continued };
    case 'deliveries':
      return { job: input.job, continued: (await dispatchDeliveries(ctx)).more };
  }
}
