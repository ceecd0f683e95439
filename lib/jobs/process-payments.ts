import type { z } from 'zod';
import { logFailure } from '#lib/base/outage-log.ts';
import type { Ctx } from '#lib/ctx.ts';
import { attemptCounts } from './attempt-counts.ts';
import { confirmation } from './confirmation.ts';
import type { processPaymentsContract } from './contracts.ts';
import { distributorWatch } from './distributor-watch.ts';
import { type Results, recordFault, runJobs } from './engine.ts';
import { fanOut } from './fan-out.ts';
import { health } from './health.ts';
import { continueProcessing, PROCESS_PAYMENTS } from './heartbeat.ts';
import { intake } from './intake.ts';
import { metricsExport } from './metrics-export.ts';
import { payouts } from './payouts.ts';
import { planning } from './planning.ts';
import { pruning } from './pruning.ts';
import { refunds } from './refunds.ts';
import { replays } from './replays.ts';
import { restoreGuard } from './restore-guard.ts';
import { sweep } from './sweep.ts';

/** In the order of a payment's way: what a job leaves due, a later one finds in the same slice. */
export const JOBS = [
  intake,
  confirmation,
  refunds,
  planning,
  restoreGuard,
  payouts,
  distributorWatch,
  health,
  sweep,
  replays,
  fanOut,
  pruning,
  attemptCounts,
  metricsExport,
];

export type ProcessPaymentsResult = z.output<(typeof processPaymentsContract)['responses'][200]>;

/** One slice of the work on payments, payouts and events, without what comes after it. */
export const processSlice = (ctx: Ctx, isScheduled = false): Promise<Results> =>
  runJobs(ctx, { name: PROCESS_PAYMENTS, jobs: JOBS, isScheduled });

/**
 * One slice of the work on payments, payouts and events, each job with a time budget and a lease of its own; and the next
 * slice, by a queue message, while something is due. What fails is named in `faults` and tried again by the next slice.
 * Idempotent, and safe beside any number of itself. `isScheduled` is the scheduler's own call, which comes once a minute.
 */
export async function processPayments(ctx: Ctx, { isScheduled = false } = {}): Promise<ProcessPaymentsResult> {
  const startedAtMs = ctx.clock.nowMs();
  const results = await processSlice(ctx, isScheduled);
  const { faults } = results;
  let continued = false;
  try {
    continued = await continueProcessing(ctx, results);
  } catch (err) {
    logFailure(ctx, { err }, 'process-payments could not be continued');
    faults.push('continue');
    await recordFault(ctx, PROCESS_PAYMENTS, err);
  }
  const read = results.of(intake);
  const decided = results.of(confirmation);
  const paid = results.of(payouts);
  const swept = results.of(sweep);
  return {
    ledger: read?.ledger ?? { from: null, to: null },
    recognised: read?.recognised ?? 0,
    confirmed: decided?.confirmed ?? 0,
    refused: decided?.refused ?? 0,
    tiers_completed: decided?.tiersCompleted ?? 0,
    cancelled_investments: results.of(refunds)?.investments ?? 0,
    planned: results.of(planning)?.planned ?? 0,
    payouts: {
      settled: paid?.settled ?? 0,
      submitted: paid?.submitted ?? 0,
      validated: paid?.validated ?? 0,
      expired: paid?.expired ?? 0,
      waiting: paid?.waiting ?? 0,
      held: paid?.held ?? 0,
    },
    deliveries: {
      written: results.of(fanOut)?.deliveries ?? 0,
      released: swept?.released ?? 0,
      republished: swept?.republished ?? 0,
      pruned_events: results.of(pruning)?.events ?? 0,
    },
    // What two jobs cannot do for one reason is one fault.
    faults: [...new Set(faults)],
    continued,
    duration_ms: ctx.clock.nowMs() - startedAtMs,
  };
}
