import type { z } from 'zod';
import type { Ctx } from '#lib/ctx.ts';
import type { continueContract } from './contracts.ts';
import { noteFault } from './faults.ts';

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

/** A slice loads its own work only: all together are several times as much. */
async function runSlice(ctx: Ctx, input: Message): Promise<Continued> {
  const { job } = input;
  switch (job) {
    case 'process-payments': {
      const { processPayments } = await import('./process-payments.ts');
      return { job, continued: (await processPayments(ctx)).continued };
    }
    case 'deliveries': {
      const { dispatchDeliveries } = await import('./dispatch-deliveries.ts');
      return { job, continued: (await dispatchDeliveries(ctx)).more };
    }
    case 'trustline-monitor': {
      const { continueMonitor } = await import('./monitor-trust-lines.ts');
      return { job, continued: await continueMonitor(ctx, input) };
    }
    case 'sync-holders': {
      const { continueSync } = await import('./sync-holders.ts');
      return { job, continued: await continueSync(ctx, input) };
    }
    case 'verify-sales': {
      const { continueVerification } = await import('./verify-sales.ts');
      return { job, continued: await continueVerification(ctx, input) };
    }
  }
}
