import type { z } from 'zod';
import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { continueContract } from './contracts.ts';
import { continueRun, type Job, recordFault } from './engine.ts';
import { FOLLOWING } from './heartbeat.ts';

type Message = z.output<(typeof continueContract)['body']>;

/** Jobs whose runs take several slices. A slice loads its own work only: all together are several times as much. */
const RUNS: Record<string, () => Promise<Job>> = {
  'trustline-monitor': async () => (await import('./monitor-trust-lines.ts')).trustlineMonitor,
  'sync-holders': async () => (await import('./sync-holders.ts')).holderSync,
  'verification-start': async () => (await import('./verify-sales.ts')).verificationStart,
  'verify-sales': async () => (await import('./verify-sales.ts')).saleVerification,
};

/** The next slice of the work that a QStash message names. Throws `invalid_request` for work that is not there. */
export async function continueJob(ctx: Ctx, message: Message): Promise<{ job: string; continued: boolean }> {
  const { job } = message;
  try {
    return { job, continued: await runSlice(ctx, message) };
  } catch (error) {
    await recordFault(ctx, job, error);
    throw error;
  }
}

async function runSlice(ctx: Ctx, { job, run, slice, cursor }: Message): Promise<boolean> {
  if (job === 'process-payments' && typeof slice === 'string' && slice.startsWith(FOLLOWING)) {
    const { followLedger } = await import('./follow-ledger.ts');
    return (await followLedger(ctx)).continued;
  }
  if (job === 'process-payments') {
    const { processPayments } = await import('./process-payments.ts');
    return (await processPayments(ctx)).continued;
  }
  if (job === 'deliveries') {
    const { dispatchDeliveries } = await import('./dispatch-deliveries.ts');
    return (await dispatchDeliveries(ctx)).more;
  }
  const load = RUNS[job];
  if (load === undefined) throw invalid('job', 'is not a job that is continued');
  if (run === undefined || typeof slice !== 'number') throw invalid('run', 'is required with a slice number');
  return continueRun(ctx, await load(), { run, slice, cursor });
}

const invalid = (field: string, message: string) =>
  new PlatformError('invalid_request', `${field}: ${message}`, { errors: [{ field, message }] });
