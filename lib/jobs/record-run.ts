import { noteEnd, noteStart } from '#lib/base/lease.ts';
import { logFailure, noteAnswer } from '#lib/base/outage-log.ts';
import type { Ctx } from '#lib/ctx.ts';

/**
 * Notes in `leases` when a job that holds no lease begins and ends, for operators to see. That it cannot be noted stops
 * no work. Throws what `work` throws, and then the job counts as broken off.
 */
export async function recordRun<T>(ctx: Ctx, name: string, work: () => Promise<T>): Promise<T> {
  await note(ctx, () => noteStart(ctx.db, name));
  const done = await work();
  await note(ctx, () => noteEnd(ctx.db, name));
  return done;
}

async function note(ctx: Ctx, write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
    noteAnswer(ctx, 'database');
  } catch (err) {
    logFailure(ctx, { err }, 'the run of a job could not be noted', 'warn');
  }
}
