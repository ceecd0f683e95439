import type { z } from 'zod';
import type { Ctx } from '#lib/ctx.ts';
import type { continueContract } from './contracts.ts';
import { dispatchDeliveries } from './dispatch-deliveries.ts';
import { noteFault } from './faults.ts';
import { continueMonitor } from './monitor-trust-lines.ts';
import { processPayments } from './process-payments.ts';
import { continueVerification } from './verify-sales.ts';

type Continued = { job: string; continued: boolean };
type Message = z.output<(typeof continueContract)['body']>;

/** The next slice of the work that a QStash message names. */
export async function continueJob(ctx: Ctx, message: Message): Promise<Continued> {
  try {
    return await runSlice(ctx, message);
  } catch (error) {
    await noteFault(ctx, message.job, error);
    throw error;
  }
}

async function runSlice(ctx: Ctx, input: Message): Promise<Continued> {
  switch (input.job) {
    case 'process-payments':
      return { job: input.job, continued: (await processPayments(ctx)).continued };
    case 'deliveries':
      return { job: input.job, continued: (await dispatchDeliveries(ctx)).more };
    case 'trustline-monitor':
      return { job: input.job, continued: await continueMonitor(ctx, input) };
    case 'verify-sales':
      return { job: input.job, continued: await continueVerification(ctx, input) };
  }
}
