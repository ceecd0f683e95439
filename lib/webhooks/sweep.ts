import { sql } from 'drizzle-orm';
import { deliveries } from '#drizzle/schema/events.ts';
import type { Ctx } from '#lib/ctx.ts';
import { cancelDueOfInactive } from './cancel.ts';
import { DELIVER_PATH } from './publish-retries.ts';
import { releaseExpiredLeases } from './release.ts';

/** A retry that is this late, in seconds, has lost its callback. Each republishing waits as long again. */
const OVERDUE_SECONDS = 60;
/** Messages of one request to the queue. */
const BATCH = 100;

/** What a sweep did. */
export interface SweepResult {
  /** Claims that ran out; their attempts are made again, unless that happened too often. */
  released: number;
  /** Deliveries that came due while their webhook was inactive. */
  cancelled: number;
  /** Retries whose callback was lost. */
  republished: number;
}

/**
 * Brings back what was lost between two steps: claims of functions that died, and retries that were stored but whose
 * callback never came. A republished callback has a deduplication id of its own, because the queue would swallow the
 * first one's for ten minutes. When the queue does not take them, that is logged and a later sweep publishes them anew.
 */
export async function sweepDeliveries(ctx: Ctx): Promise<SweepResult> {
  const released = await releaseExpiredLeases(ctx);
  const cancelled = await cancelDueOfInactive(ctx.db);
  const overdue = await ctx.db.execute<{ id: string; attempt: number; sweeps: number }>(sql`
    with overdue as (
      select d.id from ${deliveries} d
      where d.status = 'retrying' and d.leased_until is null
        and d.due_at < now() - make_interval(secs => ${OVERDUE_SECONDS}::integer)
        and d.due_at < now() - make_interval(secs => ${OVERDUE_SECONDS}::integer) * (d.sweeps + 1)
      order by d.due_at limit ${BATCH} for no key update skip locked
    )
    update ${deliveries} d set sweeps = d.sweeps + 1 from overdue where d.id = overdue.id
    returning d.id, d.next_attempt as attempt, d.sweeps`);
  const messages = overdue.rows.map(({ id, attempt, sweeps }) => ({
    path: DELIVER_PATH,
    body: { delivery_id: id, attempt },
    deduplicationId: `${id}-${attempt}-s${sweeps}`,
  }));
  try {
    await ctx.queue.publish(messages);
  } catch (err) {
    ctx.log.warn({ err, retries: messages.length }, 'Overdue retries were not taken by the queue');
    return { released, cancelled, republished: 0 };
  }
  return { released, cancelled, republished: messages.length };
}
