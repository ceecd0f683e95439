import type { z } from 'zod';
import { env } from '#lib/base/env.ts';
import { pruneKeys } from '#lib/base/idempotency-rows.ts';
import { logFailure } from '#lib/base/outage-log.ts';
import type { Ctx } from '#lib/ctx.ts';
import { countMinutes } from '#lib/ops/status/delivery-minutes.ts';
import { watchHealth } from '#lib/ops/status/watch-health.ts';
import { watchRestoreGuard } from '#lib/payouts/restore-guard.ts';
import { runPayouts } from '#lib/payouts/run-payouts.ts';
import { planDistributions } from '#lib/sales/plan-distributions.ts';
import { unwindSales } from '#lib/sales/unwind/unwind-sales.ts';
import { hasDueFirstAttempts } from '#lib/webhooks/delivery/dispatch.ts';
import { fanOutEvents } from '#lib/webhooks/delivery/fan-out.ts';
import { sweepDeliveries } from '#lib/webhooks/delivery/sweep.ts';
import { wakeDispatch } from '#lib/webhooks/delivery/wake.ts';
import { writeReplays } from '#lib/webhooks/replay/write-replays.ts';
import { pruneEvents } from '#lib/webhooks/retention/prune-events.ts';
import type { processPaymentsContract } from './contracts.ts';
import { noteFault } from './faults.ts';
import { continueProcessing, PROCESS_PAYMENTS } from './heartbeat.ts';
import { readFeeds } from './read-feeds.ts';
import { recordRun } from './record-run.ts';
import { watchDistributors } from './watch-distributors.ts';

/**
 * When each of the long steps must have ended at the latest, as a part of the slice's time: whatever has to be caught up
 * with, all of them come to their turn in every slice. What one leaves over belongs to the next ones.
 */
const ENDS_AT = { feeds: 0.5, unwind: 0.6, plan: 0.7, payouts: 0.9 };

/** What many webhooks cost must not hold the feed up: the rest is left to the deliveries slice, which is woken. */
const FAN_OUT_MS = 1_000;
const REPLAYS_MS = 500;
/** For all distributors together; the rest is left to the next run. */
const WATCH_MS = 2_000;

/** Nobody waits for it. */
const PRUNE_MS = 500;

export type ProcessPaymentsResult = z.output<(typeof processPaymentsContract)['responses'][200]>;

/**
 * One slice of the main job: read the feeds, confirm, unwind what was cancelled, plan what is distributed at an end, pay
 * out, announce what has changed in the platform's health, fan events out, prune old ones, count attempts, bring replays
 * further, wake deliveries, schedule the next beat. Each step stands by itself: what fails is named in `faults` and tried
 * again by the next run, and the other steps go on; each of the long ones has a part of the slice's time of its own.
 * Idempotent, and safe beside any number of itself. `isScheduled` is the scheduler's own call, which comes once a minute:
 * beats come more often than some steps are worth.
 */
export const processPayments = (ctx: Ctx, { isScheduled = false } = {}): Promise<ProcessPaymentsResult> =>
  recordRun(ctx, PROCESS_PAYMENTS, () => processSlice(ctx, isScheduled));

async function processSlice(ctx: Ctx, isScheduled: boolean): Promise<ProcessPaymentsResult> {
  const startedAtMs = ctx.clock.nowMs();
  const deadlineMs = startedAtMs + env().SLICE_BUDGET_MS;
  const endOf = (step: keyof typeof ENDS_AT) => startedAtMs + env().SLICE_BUDGET_MS * ENDS_AT[step];
  const faults: string[] = [];
  const step = async <T>(name: string, work: () => Promise<T>): Promise<T | null> => {
    try {
      return await work();
    } catch (err) {
      logFailure(ctx, { err, step: name }, 'a step of process-payments failed');
      faults.push(name);
      return null;
    }
  };

  const feeds = await step('read_feeds', () => readFeeds(ctx, endOf('feeds')));
  for (const failure of feeds?.failures ?? []) faults.push(`read_feeds ${failure.account}`);
  // Before paying out, so that what they owe is paid in this very run.
  const unwound = await step('unwind', () => unwindSales(ctx, endOf('unwind')));
  if ((unwound?.broken ?? 0) > 0) faults.push(`unwind of ${unwound?.broken} sale(s)`);
  const planned = await step('plan_distributions', () => planDistributions(ctx, endOf('plan')));
  if ((planned?.broken ?? 0) > 0) faults.push(`plan_distributions of ${planned?.broken} sale(s)`);
  if (isScheduled) await step('watch_notes', () => watchRestoreGuard(ctx));
  const payouts = await step('payouts', () => runPayouts(ctx, { deadlineMs: endOf('payouts') }));
  // An account whose paying out failed by itself did not stop the others, but the run was not without fault.
  if ((payouts?.broken ?? 0) > 0) faults.push(`payouts of ${payouts?.broken} account(s)`);
  const watched = await step('watch_distributors', () =>
    watchDistributors(ctx, Math.min(deadlineMs, ctx.clock.nowMs() + WATCH_MS)),
  );
  for (const account of watched?.failures ?? []) faults.push(`watch_distributors ${account}`);
  await step('network_status', () => watchHealth(ctx));
  const fannedOut = await step('fan_out', () =>
    fanOutEvents(ctx, Math.min(deadlineMs, ctx.clock.nowMs() + FAN_OUT_MS)),
  );
  const swept = await step('sweep_deliveries', () => sweepDeliveries(ctx));
  // Each run takes away what has become too old since the last: there is never a night's worth of it.
  const pruned = await step('prune_events', () => pruneEvents(ctx, Math.min(deadlineMs, ctx.clock.nowMs() + PRUNE_MS)));
  await step('prune_idempotency_keys', () => pruneKeys(ctx.db));
  await step('count_attempts', () => countMinutes(ctx.db));
  await step('replays', () => writeReplays(ctx, Math.min(deadlineMs, ctx.clock.nowMs() + REPLAYS_MS)));
  const due = await step('deliveries', () => hasDueFirstAttempts(ctx));
  if (due === true) await wakeDispatch(ctx);
  const more = [feeds, unwound, planned].some((each) => each?.more === true);
  const continued = await step('continue', () => continueProcessing(ctx, more));
  if (faults.length > 0) await noteFault(ctx, PROCESS_PAYMENTS, faults.join(', '));
  return {
    ledger: { from: feeds?.from ?? null, to: feeds?.to ?? null },
    recognised: feeds?.recognised ?? 0,
    confirmed: feeds?.confirmed ?? 0,
    refused: feeds?.refused ?? 0,
    tiers_completed: feeds?.tiersCompleted ?? 0,
    unwound: unwound?.unwound ?? 0,
    planned: planned?.planned ?? 0,
    payouts: {
      settled: payouts?.settled ?? 0,
      submitted: payouts?.submitted ?? 0,
      validated: payouts?.validated ?? 0,
      expired: payouts?.expired ?? 0,
      waiting: payouts?.waiting ?? 0,
      held: payouts?.held ?? 0,
    },
    deliveries: {
      written: fannedOut?.deliveries ?? 0,
      released: swept?.released ?? 0,
      republished: swept?.republished ?? 0,
      pruned_events: pruned?.events ?? 0,
    },
    faults,
    continued: continued ?? false,
    duration_ms: ctx.clock.nowMs() - startedAtMs,
  };
}
