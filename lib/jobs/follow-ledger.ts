import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { env } from '#lib/base/env.ts';
import { newId } from '#lib/base/ids.ts';
import { type Ctx, createCtx } from '#lib/ctx.ts';
import { watchAgreed } from '#lib/sales/feed/agreed-feed.ts';
import { lazyLedger } from '#lib/xrpl/lazy.ts';
import { defineJob, runJobs } from './engine.ts';
import { continueProcessing, FOLLOW_LEDGER, isWorthFollowing, publishWatch } from './heartbeat.ts';
import { processSlice } from './process-payments.ts';

/** What another call has in its hands just now is looked at again after this long. */
const PASSED_OVER_MS = 250;

/** Does the work of process-payments at each ledger that the servers validate. */
const following = (signal?: AbortSignal) =>
  defineJob({
    name: FOLLOW_LEDGER,
    schedule: 'every slice',
    // What the last ledger brings is a whole slice of process-payments, in the same call.
    budgetMs: 15_000,
    leaseSeconds: 5,
    async run(ctx, { deadlineMs, stillMine }) {
      const watch = watchAgreed(ctx);
      const begunAtMs = performance.now();
      const wholeMs = deadlineMs - ctx.clock.nowMs();
      // By the stopwatch too: a clock that is set back must not make the call longer than it may take.
      const leftMs = (): number =>
        signal?.aborted === true
          ? 0
          : Math.max(Math.min(deadlineMs - ctx.clock.nowMs(), wholeMs - (performance.now() - begunAtMs)), 0);
      await publishWatch(ctx);
      let ledgerIndex = 0;
      try {
        do {
          // A watch that hears nothing is no reason to do nothing: then it is a beat.
          const most = Math.min(env().HEARTBEAT_SECONDS * 1_000, leftMs());
          ledgerIndex = (await watch.next(ledgerIndex, most)) ?? ledgerIndex;
          if (signal?.aborted === true) break;
          let { more, passedOver } = await processSlice(ctx);
          if (passedOver && !more && leftMs() > 0) {
            await wait(PASSED_OVER_MS);
            ({ more } = await processSlice(ctx));
          }
          while (more && leftMs() > 0 && (await stillMine())) ({ more } = await processSlice(ctx));
        } while (leftMs() > 0 && (await stillMine()) && (await isWorthFollowing(ctx)));
      } finally {
        watch.end();
      }
      return {};
    },
  });

/**
 * Follows the ledger for SLICE_BUDGET_MS while there is work at each one, and wakes its successor. While another worker follows it only
 * a beat is left, which looks whether that one still does.
 */
export async function followLedger(ctx: Ctx): Promise<{ continued: boolean }> {
  const { passedOver, faults } = await runJobs(ctx, { jobs: [following()] });
  // Nor is it followed at once where it could not be.
  return { continued: await continueProcessing(ctx, { more: false, passedOver: passedOver || faults.length > 0 }) };
}

/**
 * Follows the ledger whenever there is work at each one, until the signal aborts: for a process of one's own beside functions that do not
 * (FOLLOW_LEDGER=0). Where it stops, beats go on.
 */
export async function followAlways(ctx: Ctx, signal: AbortSignal): Promise<void> {
  const job = following(signal);
  while (!signal.aborted) {
    let isFollowing = false;
    try {
      if (await isWorthFollowing(ctx)) {
        const { passedOver, faults } = await runJobs(ctx, { jobs: [job] });
        isFollowing = !passedOver && faults.length === 0;
      }
    } catch (err) {
      ctx.log.warn({ err }, 'the ledger could not be followed');
    }
    if (!isFollowing) await wait(env().HEARTBEAT_SECONDS * 1_000, undefined, { signal }).catch(() => undefined);
  }
  await continueProcessing(ctx, { more: false });
}

/** The same for as long as a process lives: until it is asked to stop. */
export async function followUntilStopped(): Promise<void> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  await followAlways(await createCtx(newId('req', randomBytes), { kind: 'system' }, lazyLedger), stop.signal);
}
