import { env } from '#lib/base/env.ts';
import { logFailure } from '#lib/base/outage-log.ts';
import type { Ctx } from '#lib/ctx.ts';
import { type DispatchResult, dispatchFirstAttempts, hasDueFirstAttempts } from '#lib/webhooks/delivery/dispatch.ts';
import { fanOutEvents } from '#lib/webhooks/delivery/fan-out.ts';
import { letWakesThrough, wakeDispatch } from '#lib/webhooks/delivery/wake.ts';
import { Watch } from '#lib/webhooks/delivery/watch.ts';
import { hasReplaysToWrite, writeReplays } from '#lib/webhooks/replay/write-replays.ts';
import { defineJob, runJobs } from './engine.ts';

/** What a call fans out while another's slice is at work. */
const FAN_OUT_MS = 1_000;
/** Replays are written for this long; what is left is for the next slice. */
const REPLAYS_MS = 500;
const NOTHING_DONE: DispatchResult = { attempted: 0, success: 0, retrying: 0, failed: 0, more: false };

/**
 * First webhook attempts: one slice at a time, which takes up what is written while it works. It wakes its own successor when
 * work is left (`more`), and does not keep it waiting for attempts that hang: those end beside it.
 */
const deliveries = defineJob({
  name: 'deliveries',
  schedule: 'every slice',
  budgetMs: 20_000,
  leaseSeconds: 5,
  async run(ctx, { deadlineMs, isLost, release }): Promise<DispatchResult> {
    const watch = new Watch(ctx, deadlineMs);
    let isHandedOver = false;
    let more = false;
    const letGo = async () => {
      isHandedOver = true;
      await watch.end().finally(release);
    };
    const handOver = async () => {
      await letGo();
      // In this order: a wake that was held back until now relies on the look that follows.
      await letWakesThrough(ctx);
      more = (await hasDueFirstAttempts(ctx)) || (await hasReplaysToWrite(ctx.db));
      if (more) await wakeDispatch(ctx);
    };
    try {
      const result = await dispatchFirstAttempts(ctx, deadlineMs, { watch, isLost, handOver });
      return { ...result, more };
    } finally {
      if (!isHandedOver) await letGo();
    }
  },
});

/**
 * Writes what replays have room for, fans events out and makes first webhook attempts, for SLICE_BUDGET_MS or until
 * `deadlineMs` (of ctx.clock). While another slice is at work it only writes: that one finds the deliveries, since it looks
 * again after it lets go of the lease.
 */
export async function dispatchDeliveries(
  ctx: Ctx,
  deadlineMs: number = ctx.clock.nowMs() + env().SLICE_BUDGET_MS,
): Promise<DispatchResult> {
  // Live events do not wait for what is wrong with a replay.
  await writeReplays(ctx, Math.min(deadlineMs, ctx.clock.nowMs() + REPLAYS_MS)).catch((err) =>
    logFailure(ctx, { err }, 'Replays could not be written'),
  );
  const results = await runJobs(ctx, { jobs: [deliveries], deadlineMs });
  if (results.passedOver) await fanOutEvents(ctx, Math.min(deadlineMs, ctx.clock.nowMs() + FAN_OUT_MS));
  return results.orThrow(deliveries)?.done ?? NOTHING_DONE;
}
