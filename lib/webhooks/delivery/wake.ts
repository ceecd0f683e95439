import type { Db } from '#lib/base/db.ts';
import { randomBase62 } from '#lib/base/ids.ts';
import * as jobRows from '#lib/base/job-rows.ts';
import type { Ctx } from '#lib/ctx.ts';

const JOB = 'deliveries';
/** A wake that has not arrived after this long, in seconds, counts as lost, and a slice that has not been heard of as dead. */
const WAKE_LIFE_SECONDS = 10;

/** Slices at work in this process, by their database. */
const hearing = new WeakMap<Db, Set<() => void>>();

/** Calls `wake` whenever this process asks for a dispatch slice of this database, until the returned function is called. */
export function hearWakes({ db }: Ctx, wake: () => void): () => void {
  const wakes = hearing.get(db) ?? new Set();
  hearing.set(db, wakes.add(wake));
  return () => wakes.delete(wake);
}

/**
 * Asks for a dispatch slice: one QStash message however many call it, until the slice that it calls has ended. Call it
 * after the transaction that wrote events or deliveries has committed. The merging is done in Postgres and ends with
 * that slice (`letWakesThrough`), so a wake is left out only while a slice will yet see the same rows; the
 * message's own deduplication id is never used twice. A slice of this process is told at once, and looks once more before
 * it ends. Never throws: the next cron finds the rows.
 */
export async function wakeDispatch(ctx: Ctx): Promise<void> {
  const atWork = hearing.get(ctx.db);
  if (atWork !== undefined && atWork.size > 0) {
    for (const wake of atWork) wake();
    return;
  }
  try {
    const slice = await jobRows.takeWake(ctx.db, JOB, WAKE_LIFE_SECONDS);
    if (slice === null) return;
    await ctx.queue.publish([
      {
        path: '/api/queue/continue',
        body: { job: JOB, slice },
        // Random too: a database that was restored counts its slices anew while the queue still remembers them.
        deduplicationId: `${JOB}-${slice}-${randomBase62(ctx.random, 8)}`,
      },
    ]);
  } catch (err) {
    ctx.log.warn({ err }, 'Dispatch could not be woken; the next cron will find what is due');
    await letWakesThrough(ctx).catch(() => undefined);
  }
}

/** Notes that a slice is at work and sees what is written: no wake is published for a while. Say it again before that is over. */
export async function holdWake(ctx: Ctx): Promise<void> {
  await jobRows.holdWakes(ctx.db, JOB, WAKE_LIFE_SECONDS);
}

/** Notes that the slice sees nothing more: from now on a wake is published. What was written before is for its last look after this. */
export async function letWakesThrough(ctx: Ctx): Promise<void> {
  await jobRows.letWakesThrough(ctx.db, JOB);
}
