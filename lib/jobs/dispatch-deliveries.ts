import type { Ctx } from '#lib/ctx.ts';
import { env } from '#lib/platform/env.ts';
import { newId } from '#lib/platform/ids.ts';
import { withLease } from '#lib/platform/lease.ts';
import { type DispatchResult, dispatchFirstAttempts, hasDueFirstAttempts } from '#lib/webhooks/dispatch.ts';
import { fanOutEvents } from '#lib/webhooks/fan-out.ts';
import { takeWake, wakeDispatch } from '#lib/webhooks/wake.ts';

const LEASE = 'deliveries';
/** Beyond its last exchange, a slice needs this long to store outcomes. */
const LEASE_MARGIN_MS = 10_000;
/** Fanning out comes first for this long; what is left then goes on beside the attempts. */
const FAN_OUT_FIRST_MS = 1_000;
const NOTHING_DONE: DispatchResult = { attempted: 0, success: 0, retrying: 0, failed: 0, more: false };

/**
 * Fans events out and makes first webhook attempts, for SLICE_BUDGET_MS or until `deadlineMs` (of ctx.clock): one slice,
 * alone under its lease. It wakes its own successor when work is left (`more`). While another slice is at work it only fans
 * out: that one finds the deliveries, since it looks again after it lets go of the lease.
 */
export async function dispatchDeliveries(
  ctx: Ctx,
  deadlineMs: number = ctx.clock.nowMs() + env().SLICE_BUDGET_MS,
): Promise<DispatchResult> {
  await takeWake(ctx);
  const first = await fanOutEvents(ctx, Math.min(deadlineMs, ctx.clock.nowMs() + FAN_OUT_FIRST_MS));
  const longestMs = Math.max(0, deadlineMs - ctx.clock.nowMs()) + env().WEBHOOK_TIMEOUT_MS + LEASE_MARGIN_MS;
  const lease = {
    name: LEASE,
    holder: newId('req', ctx.random),
    ttlSeconds: Math.ceil(longestMs / 1000),
    waitMs: 0,
  };
  const result = await withLease(ctx.db, lease, async () => {
    const [dispatched, fannedOut] = await Promise.allSettled([
      dispatchFirstAttempts(ctx, deadlineMs),
      first.more ? fanOutEvents(ctx, deadlineMs) : first,
    ]);
    if (dispatched.status === 'rejected') throw dispatched.reason;
    if (fannedOut.status === 'rejected') throw fannedOut.reason;
    return dispatched.value;
  });
  if (result === null) return NOTHING_DONE;
  const more = await hasDueFirstAttempts(ctx);
  if (more) await wakeDispatch(ctx);
  return { ...result.done, more };
}
