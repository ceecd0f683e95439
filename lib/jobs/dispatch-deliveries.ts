import type { Ctx } from '#lib/ctx.ts';
import { env } from '#lib/platform/env.ts';
import { newId } from '#lib/platform/ids.ts';
import { withLease } from '#lib/platform/lease.ts';
import { type DispatchResult, dispatchFirstAttempts, hasDueFirstAttempts } from '#lib/webhooks/dispatch.ts';
import { takeWake, wakeDispatch } from '#lib/webhooks/wake.ts';

const LEASE = 'deliveries';
/** Beyond its last exchange, a slice needs this long to store outcomes. */
const LEASE_MARGIN_MS = 10_000;

/**
 * One slice of first webhook attempts, alone under its lease, until `deadlineMs` (of ctx.clock). It wakes its own
 * successor when work is left. Gives null when another slice is at work: that one looks again after it lets go, so
 * what was committed before this call is seen by it.
 */
export async function dispatchDeliveries(ctx: Ctx, deadlineMs: number): Promise<DispatchResult | null> {
  await takeWake(ctx);
  const longestMs = Math.max(0, deadlineMs - ctx.clock.nowMs()) + env().WEBHOOK_TIMEOUT_MS + LEASE_MARGIN_MS;
  const lease = {
    name: LEASE,
    holder: newId('req', ctx.random),
    ttlSeconds: Math.ceil(longestMs / 1000),
    waitMs: 0,
  };
  const slice = await withLease(ctx.db, lease, () => dispatchFirstAttempts(ctx, deadlineMs));
  if (slice === null) return null;
  const more = await hasDueFirstAttempts(ctx);
  if (more) await wakeDispatch(ctx);
  return { ...slice.done, more };
}
