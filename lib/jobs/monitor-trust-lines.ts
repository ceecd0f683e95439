import type { z } from 'zod';
import { sweepAccess } from '#lib/accounts/api-keys/sweep-access.ts';
import { appendAudit } from '#lib/audit.ts';
import { env } from '#lib/base/env.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { acquireLease, releaseLease, renewLease } from '#lib/base/lease.ts';
import { giveSliceBack, nextSlice, takeSlice } from '#lib/base/slice.ts';
import type { Ctx } from '#lib/ctx.ts';
import { checkAccounts } from '#lib/payouts/monitor/check-accounts.ts';
import { checkWaiting, FROM_THE_START, type WaitingCursor } from '#lib/payouts/monitor/check-waiting.ts';
import type { trustlineMonitorContract } from '#lib/payouts/monitor/contracts.ts';
import { noneWaiting } from '#lib/payouts/monitor/contracts.ts';
import { wakeDispatch } from '#lib/webhooks/delivery/wake.ts';
import type { monitorSlice } from './contracts.ts';
import { noteFault } from './faults.ts';
import { CONTINUE_PATH, continueProcessing, publish } from './heartbeat.ts';
import { startVerifications } from './verify-sales.ts';

type MonitorResult = z.output<(typeof trustlineMonitorContract)['responses'][200]>;
type MonitorSlice = z.output<typeof monitorSlice>;

const TRUSTLINE_MONITOR = 'trustline-monitor';
/** A run keeps its lease from slice to slice; one that was lost on the way blocks the next run no longer than this. */
const LEASE_SECONDS = 120;

/**
 * Looks at the health of every paying account and at every distribution that waits; what became payable goes out at once.
 * One run at a time: throws `conflict` while another one is under way, its slices to come included. What the time does
 * not reach is continued by queue messages. Throws PlatformError `ledger_unavailable`.
 */
export async function monitorTrustLines(ctx: Ctx): Promise<MonitorResult> {
  const startedAtMs = ctx.clock.nowMs();
  const run = newId('req', ctx.random);
  if (!(await acquireLease(ctx.db, TRUSTLINE_MONITOR, run, LEASE_SECONDS))) {
    throw new PlatformError(
      'conflict',
      'A run of the monitor is under way. Wait until it has ended, two minutes at most.',
    );
  }
  try {
    await auditByHand(ctx, run);
    await verifyToday(ctx);
    await sweepToday(ctx, startedAtMs);
    const { accounts, alerts } = await checkAccounts(ctx);
    if (alerts > 0) await wakeDispatch(ctx);
    const slice = await nextSlice(ctx, TRUSTLINE_MONITOR);
    const counts = noneWaiting();
    const continued = await runSlice(ctx, { run, slice, after: FROM_THE_START, counts }, startedAtMs);
    return { ...counts, continued, accounts, duration_ms: ctx.clock.nowMs() - startedAtMs };
  } catch (error) {
    await releaseLease(ctx.db, TRUSTLINE_MONITOR, run);
    await noteFault(ctx, TRUSTLINE_MONITOR, error);
    throw error;
  }
}

/** What becomes payable is paid: an administrator who starts a run by hand changes something, and has no way to say why. */
async function auditByHand(ctx: Ctx, run: string): Promise<void> {
  if (ctx.actor.kind !== 'administrator') return;
  await appendAudit(ctx.db, ctx, {
    action: 'trustline_monitor.run',
    subject: 'every paying account',
    reason: 'run by hand',
    after: { run },
  });
}

/** The daily cron is the root of the verifications too; that they cannot be started keeps no account from being looked at. */
async function verifyToday(ctx: Ctx): Promise<void> {
  try {
    await startVerifications(ctx);
  } catch (err) {
    ctx.log.error({ err }, 'the verification of sales could not be started');
  }
}

/** What is left over goes tomorrow: nobody waits for it. */
async function sweepToday(ctx: Ctx, startedAtMs: number): Promise<void> {
  try {
    await sweepAccess(ctx, startedAtMs + env().SLICE_BUDGET_MS / 4);
  } catch (err) {
    ctx.log.error({ err }, 'keys that nobody uses could not be removed');
  }
}

/**
 * The next slice of a run. A message that comes twice, or after its run has ended, does nothing. When the slice fails its
 * message may come again.
 */
export async function continueMonitor(ctx: Ctx, message: MonitorSlice): Promise<boolean> {
  const slice = await takeSlice(ctx, { name: TRUSTLINE_MONITOR, holder: message.run, slice: message.slice });
  if (slice === null || !(await acquireLease(ctx.db, TRUSTLINE_MONITOR, message.run, LEASE_SECONDS))) return false;
  try {
    return await runSlice(ctx, { ...message, slice }, ctx.clock.nowMs());
  } catch (error) {
    await giveSliceBack(ctx, { name: TRUSTLINE_MONITOR, holder: message.run, slice });
    throw error;
  }
}

/** Adds to `state.counts`. True when a further slice is on its way; otherwise the run has ended and its lease is free. */
async function runSlice(ctx: Ctx, state: MonitorSlice, startedAtMs: number): Promise<boolean> {
  const { run, counts } = state;
  const readyBefore = counts.ready;
  const after = await checkWaiting(ctx, {
    after: state.after,
    counts,
    deadlineMs: startedAtMs + env().SLICE_BUDGET_MS,
    stillMine: () => renewLease(ctx.db, TRUSTLINE_MONITOR, run, LEASE_SECONDS),
  });
  if (counts.ready > readyBefore) await continueProcessing(ctx, true);
  if (after !== null && (await publishNext(ctx, { ...state, after }))) return true;
  await releaseLease(ctx.db, TRUSTLINE_MONITOR, run);
  ctx.log.info({ ...counts, whole: after === null }, 'the trust line monitor has ended');
  return false;
}

async function publishNext(ctx: Ctx, next: MonitorSlice & { after: WaitingCursor }): Promise<boolean> {
  if (!(await renewLease(ctx.db, TRUSTLINE_MONITOR, next.run, LEASE_SECONDS))) return false;
  return publish(ctx, {
    path: CONTINUE_PATH,
    body: { job: TRUSTLINE_MONITOR, ...next },
    deduplicationId: `${TRUSTLINE_MONITOR}-${next.run}-${next.slice}`,
  });
}
