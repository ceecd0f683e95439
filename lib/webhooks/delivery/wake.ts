import { randomBase62 } from '#lib/base/ids.ts';
import { endTaken, keepTaken, takeNumbered } from '#lib/base/lease.ts';
import type { Ctx } from '#lib/ctx.ts';

/** The row whose `leased_until` says that a wake is on its way or a slice watches, and whose `slice` numbers the wakes. */
const WAKE = 'deliveries-wake';
/** A wake that has not arrived after this long, in seconds, counts as lost, and a slice that has not been heard of as dead. */
const WAKE_LIFE_SECONDS = 10;

/**
 * Asks for a dispatch slice: one QStash message however many call it, until the slice that it calls has ended. Call it
 * after the transaction that wrote events or deliveries has committed. The merging is done in Postgres and ends with
 * that slice (`letWakesThrough`), so a wake is left out only while somebody will yet see the same rows; the
 * message's own deduplication id is never used twice. Never throws: the next cron finds the rows.
 */
export async function wakeDispatch(ctx: Ctx): Promise<void> {
  try {
    const slice = await takeNumbered(ctx.db, WAKE, WAKE_LIFE_SECONDS);
    if (slice === null) return;
    await ctx.queue.publish([
      {
        path: '/api/queue/continue',
        body: { job: 'deliveries', slice },
        // Random too: a database that was restored counts its slices anew while the queue still remembers them.
        deduplicationId: `deliveries-${slice}-${randomBase62(ctx.random, 8)}`,
      },
    ]);
  } catch (err) {
    ctx.log.warn({ err }, 'Dispatch could not be woken; the next cron will find what is due');
    await letWakesThrough(ctx).catch(() => undefined);
  }
}

/** Notes that a slice is at work and sees what is written: no wake is published for a while. Say it again before that is over. */
export async function holdWake(ctx: Ctx): Promise<void> {
  await keepTaken(ctx.db, WAKE, WAKE_LIFE_SECONDS);
}

/** Notes that the slice sees nothing more: from now on a wake is published. What was written before is for its last look after this. */
export async function letWakesThrough(ctx: Ctx): Promise<void> {
  await endTaken(ctx.db, WAKE);
}
