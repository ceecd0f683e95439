import type { z } from 'zod';
import { env } from '#lib/base/env.ts';
import { acquireLease, releaseLease, renewLease } from '#lib/base/lease.ts';
import { giveSliceBack, nextSlice, takeSlice } from '#lib/base/slice.ts';
import type { Ctx } from '#lib/ctx.ts';
import { runVerificationSlice } from '#lib/sales/verification/run-slice.ts';
import { startRuns, VERIFICATION_LEASE } from '#lib/sales/verification/start-runs.ts';
import { wakeDispatch } from '#lib/webhooks/delivery/wake.ts';
import type { verifySlice } from './contracts.ts';
import { CONTINUE_PATH, publish } from './heartbeat.ts';

type VerifySlice = z.output<typeof verifySlice>;

const VERIFY_SALES = 'verify-sales';
/** A run keeps its lease from slice to slice; one that was lost on the way can be taken up after this. */
const LEASE_SECONDS = 120;

const leaseOf = (run: string): string => `${VERIFICATION_LEASE}${run}`;

/**
 * Starts today's verification of every sale that has not had one, and takes up those that were lost on their way: a queue
 * message each, so that none waits for another. Gives how many were put on their way.
 */
export async function startVerifications(ctx: Ctx): Promise<number> {
  let started = 0;
  for (const { id } of await startRuns(ctx)) {
    const name = leaseOf(id);
    if (!(await acquireLease(ctx.db, name, id, LEASE_SECONDS))) continue;
    const slice = await nextSlice(ctx, name);
    if (await publishSlice(ctx, { run: id, slice })) started += 1;
  }
  return started;
}

/** The next slice of a run. A message that comes twice, or after its run has ended, does nothing. */
export async function continueVerification(ctx: Ctx, message: VerifySlice): Promise<boolean> {
  const { run } = message;
  const name = leaseOf(run);
  const slice = await takeSlice(ctx, { name, holder: run, slice: message.slice });
  if (slice === null || !(await acquireLease(ctx.db, name, run, LEASE_SECONDS))) return false;
  try {
    const { goesOn, deliveries } = await runVerificationSlice(ctx, {
      id: run,
      deadlineMs: ctx.clock.nowMs() + env().SLICE_BUDGET_MS,
      stillMine: () => renewLease(ctx.db, name, run, LEASE_SECONDS),
    });
    if (deliveries > 0) await wakeDispatch(ctx);
    if (goesOn && (await publishSlice(ctx, { run, slice }))) return true;
    await releaseLease(ctx.db, name, run);
    return false;
  } catch (error) {
    await giveSliceBack(ctx, { name, holder: run, slice });
    throw error;
  }
}

const publishSlice = (ctx: Ctx, next: VerifySlice): Promise<boolean> =>
  publish(ctx, {
    path: CONTINUE_PATH,
    body: { job: VERIFY_SALES, ...next },
    deduplicationId: `${VERIFY_SALES}-${next.run}-${next.slice}`,
  });
