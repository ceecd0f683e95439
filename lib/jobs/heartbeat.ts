import { sql } from 'drizzle-orm';
import { depositAccounts, investments, moves, payments, projects } from '#drizzle/schema/sale.ts';
import type { Ctx } from '#lib/ctx.ts';
import { isPayoutDueWithin } from '#lib/payouts/due.ts';
import { env } from '#lib/platform/env.ts';
import type { QueueMessage } from '#lib/platform/queue.ts';
import { nextSlice } from './slice.ts';

export const CONTINUE_PATH = '/api/queue/continue';
export const PROCESS_PAYMENTS = 'process-payments';

/** A payout that is looked at later than this is left to the minutely cron: a holder without a trust line may wait for weeks. */
const CRON_REACH_SECONDS = 30;

/**
 * True while a sale runs, or something is owed, waits for the ledger or for confirmation: a cancelled sale that is not
 * unwound and a completed one whose distribution is not planned owe it too, unless their account is halted.
 */
export async function isAnythingDue(ctx: Ctx): Promise<boolean> {
  const result = await ctx.db.execute<{ due: boolean }>(sql`
    select exists (select from ${projects} where status in ('active', 'paused'))
      or exists (select from ${moves} where status in ('submitted', 'seen'))
      or exists (select from ${payments} where outcome = 'pending')
      or exists (select from ${projects} as p
        join ${depositAccounts} as d on d.address = p.deposit_address and not d.halted
        where (p.status = 'cancelled' and p.unwound_at is null) or (p.status = 'completed' and exists (
          select from ${investments} as i
          where i.project_id = p.id and i.status = 'confirmed' and not i.payouts_planned))) as due`);
  return result.rows[0]?.due === true || isPayoutDueWithin(ctx.db, CRON_REACH_SECONDS);
}

/**
 * The next run of process-payments: at once when the time ran out, else one heartbeat later. Beats share a
 * deduplication id in each bucket of time, so any number of instances keep one chain; the cron restarts it.
 */
export async function continueProcessing(ctx: Ctx, more: boolean): Promise<boolean> {
  if (more) {
    const slice = await nextSlice(ctx, PROCESS_PAYMENTS);
    return publish(ctx, {
      path: CONTINUE_PATH,
      body: { job: PROCESS_PAYMENTS, slice },
      deduplicationId: `${PROCESS_PAYMENTS}-${slice}`,
    });
  }
  if (!(await isAnythingDue(ctx))) return false;
  const beatSeconds = env().HEARTBEAT_SECONDS;
  const bucket = Math.floor(ctx.clock.nowMs() / 1000 / beatSeconds) + 1;
  return publish(ctx, {
    path: CONTINUE_PATH,
    body: { job: PROCESS_PAYMENTS, slice: `beat-${bucket}` },
    delaySeconds: beatSeconds,
    deduplicationId: `beat-${beatSeconds}-${bucket}`,
  });
}

/** A continuation that cannot be published is no failure of the work done: the next cron is its root. */
export async function publish(ctx: Ctx, message: QueueMessage): Promise<boolean> {
  try {
    await ctx.queue.publish([message]);
    return true;
  } catch (err) {
    ctx.log.warn({ err }, 'The next run could not be scheduled; the cron will start it');
    return false;
  }
}
