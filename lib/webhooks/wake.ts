import { sql } from 'drizzle-orm';
import { leases } from '#drizzle/schema/jobs.ts';
import type { Ctx } from '#lib/ctx.ts';
import { randomBase62 } from '#lib/platform/ids.ts';

/** The row whose `leased_until` says that a wake is on its way, and whose `slice` numbers the wakes. */
const WAKE = 'deliveries-wake';
/** A wake that has not arrived after this long, in seconds, counts as lost. */
const WAKE_LIFE_SECONDS = 10;

/**
 * Asks for a dispatch slice: one QStash message however many call it, until that message is taken up. Call it after
 * the transaction that wrote deliveries has committed. The merging is done in Postgres and ends when the message
 * arrives (`takeWake`), so a wake is left out only while one that will see the same rows is still to come; the
 * message's own deduplication id is never used twice. Never throws: the next cron finds the rows.
 */
export async function wakeDispatch(ctx: Ctx): Promise<void> {
  try {
    const taken = await ctx.db.execute<{ slice: number }>(sql`
      insert into ${leases} as l (name, slice, leased_until)
      values (${WAKE}, 1, now() + make_interval(secs => ${WAKE_LIFE_SECONDS}::integer))
      on conflict (name) do update set slice = l.slice + 1, leased_until = excluded.leased_until
      where l.leased_until is null or l.leased_until < now()
      returning slice::integer as slice`);
    const slice = taken.rows[0]?.slice;
    if (slice === undefined) return;
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
    await takeWake(ctx).catch(() => undefined);
  }
}

/**
 * Notes that a wake has arrived: from now on a new one is published. To be called before the first claim, and also by
 * who then finds another slice at work.
 */
export async function takeWake(ctx: Ctx): Promise<void> {
  await ctx.db.execute(sql`update ${leases} set leased_until = null where name = ${WAKE} and leased_until is not null`);
}
