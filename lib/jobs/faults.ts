import { z } from 'zod';
import type { Ctx } from '#lib/ctx.ts';
import { redactText } from '#lib/platform/log.ts';

const fault = z.object({ at: z.iso.datetime(), what: z.string() });
export type JobFault = z.output<typeof fault>;

const keyOf = (job: string): string => `job-fault:${job}`;
const KEPT_SECONDS = 7 * 86_400;
const LONGEST = 300;

/**
 * Remembers what went wrong in a job, for operators. In the cache, since it is news and no record: the log has it whole.
 * Never throws.
 */
export async function noteFault(ctx: Ctx, job: string, failure: unknown): Promise<void> {
  const text = failure instanceof Error ? failure.message : String(failure);
  const noted: JobFault = { at: new Date(ctx.clock.nowMs()).toISOString(), what: redactText(text).slice(0, LONGEST) };
  try {
    await ctx.redis.set(keyOf(job), noted, { ex: KEPT_SECONDS });
  } catch (err) {
    ctx.log.warn({ err, job }, 'the fault of a job could not be noted');
  }
}

/** The last fault of each of these jobs that had one lately; of none while the cache is away. */
export async function readFaults(ctx: Ctx, jobs: readonly string[]): Promise<Map<string, JobFault>> {
  if (jobs.length === 0) return new Map();
  try {
    const kept = await ctx.redis.mget<unknown[]>(...jobs.map(keyOf));
    return new Map(
      jobs.flatMap((job, place): [string, JobFault][] => {
        const read = fault.safeParse(kept[place]);
        return read.success ? [[job, read.data]] : [];
      }),
    );
  } catch (err) {
    ctx.log.warn({ err }, 'the faults of jobs could not be read');
    return new Map();
  }
}
