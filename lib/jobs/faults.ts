import { noteLastFault } from '#lib/base/lease.ts';
import { redactText } from '#lib/base/log.ts';
import { logFailure } from '#lib/base/outage-log.ts';
import type { Ctx } from '#lib/ctx.ts';

const LONGEST = 300;

/** Remembers in its lease what went wrong in a job last, for operators; the log has it whole. Never throws. */
export async function noteFault(ctx: Ctx, job: string, failure: unknown): Promise<void> {
  const text = failure instanceof Error ? failure.message : String(failure);
  const what = redactText(text).slice(0, LONGEST);
  try {
    await noteLastFault(ctx.db, job, what);
  } catch (err) {
    logFailure(ctx, { err, job }, 'the fault of a job could not be noted', 'warn');
  }
}
