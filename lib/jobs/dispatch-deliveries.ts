import type { Ctx } from '#lib/ctx.ts';
import { env } from '#lib/platform/env.ts';
import { newId } from '#lib/platform/ids.ts';
import { withLease } from '#lib/platform/lease.ts';
import { type DispatchResult, dispatchFirstAttempts, hasDueFirstAttempts } from '#lib/webhooks/delivery/dispatch.ts';
import { fanOutEvents } from '#lib/webhooks/delivery/fan-out.ts';
import { letWakesThrough, wakeDispatch } from '#lib/webhooks/delivery/wake.ts';
import { Watch } from '#lib/webhooks/delivery/watch.ts';
import { hasReplaysToWrite, writeReplays } from '#lib/webhooks/replay/write-replays.ts';

const LEASE = 'deliveries';
/** Beyond its last exchange, a slice needs this long to store outcomes. */
const LEASE_MARGIN_MS = 10_000;
/** Fanning out comes first for this long; what is left, and what is written meanwhile, goes on beside the attempts. */
const FAN_OUT_FIRST_MS = 1_000;
/** Replays are written for this long; what is left is for the next slice. */
const REPLAYS_MS = 500;
const NOTHING_DONE: DispatchResult = { attempted: 0, success: 0, retrying: 0, failed: 0, more: false };

/**
 * Writes what replays have room for, fans events out and makes first webhook attempts, for SLICE_BUDGET_MS or until
 * `deadlineMs` (of ctx.clock): one slice, alone under its lease, that takes up what is written while it works. It wakes its
 * own successor when work is left (`more`). While another slice is at work it only writes: that one finds the deliveries,
 * since it looks again after it lets go of the lease.
 */
export async function dispatchDeliveries(
  ctx: Ctx,
  deadlineMs: number = ctx.clock.nowMs() + env().SLICE_BUDGET_MS,
): Promise<DispatchResult> {
  // Live events do not wait for what is wrong with a replay.
  await writeReplays(ctx, Math.min(deadlineMs, ctx.clock.nowMs() + REPLAYS_MS)).catch((err) =>
    ctx.log.error({ err }, 'Replays could not be written'),
  );
  await fanOutEvents(ctx, Math.min(deadlineMs, ctx.clock.nowMs() + FAN_OUT_FIRST_MS));
  const longestMs = Math.max(0, deadlineMs - ctx.clock.nowMs()) + env().WEBHOOK_TIMEOUT_MS + LEASE_MARGIN_MS;
  const lease = {
    name: LEASE,
    holder: newId('req', ctx.random),
    ttlSeconds: Math.ceil(longestMs / 1000),
    waitMs: 0,
  };
  const result = await withLease(ctx.db, lease, async () => {
    const watch = new Watch(ctx, deadlineMs);
    const [dispatched] = await Promise.allSettled([dispatchFirstAttempts(ctx, deadlineMs, watch)]);
    await watch.end();
    if (dispatched.status === 'rejected') throw dispatched.reason;
    return dispatched.value;
  });
  if (result === null) return NOTHING_DONE;
  // In this order: whoever held a wake back until now left it to the look that follows.
  await letWakesThrough(ctx);
  const more = (await hasDueFirstAttempts(ctx)) || (await hasReplaysToWrite(ctx.db));
  if (more) await wakeDispatch(ctx);
  return { ...result.done, more };
}
