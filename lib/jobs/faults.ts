import { sql } from 'drizzle-orm';
import { leases } from '#drizzle/schema/jobs.ts';
import { redactText } from '#lib/base/log.ts';
import { logFailure } from '#lib/base/outage-log.ts';
import type { Ctx } from '#lib/ctx.ts';

const LONGEST = 300;

/** Remembers in its lease what went wrong in a job last, for operators; the log has it whole. Never throws. */
export async function noteFault(ctx: Ctx, job: string, failure: unknown): Promise<void> {
  const text = failure instanceof Error ? failure.message : String(failure);
  const what = redactText(text).slice(0, LONGEST);
  try {
    await ctx.db.execute(sql`
      insert into ${leases} (name, last_fault, last_fault_at) values (${job}, ${what}, now())
      on conflict (name) do update set last_fault = excluded.last_fault, last_fault_at = excluded.last_fault_at`);
  } catch (err) {
    logFailure(ctx, { err, job }, 'the fault of a job could not be noted', 'warn');
  }
}
