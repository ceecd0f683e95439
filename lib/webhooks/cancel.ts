import { type SQL, sql } from 'drizzle-orm';
import { deliveries, webhooks } from '#drizzle/schema/events.ts';
import type { Db } from '#lib/platform/db.ts';

/** Rows one statement takes on. */
const BATCH = 1_000;

/** Ends open deliveries. Rows are locked in one order everywhere, so that no two batches can deadlock. */
async function cancelWhere(db: Db, condition: SQL): Promise<number> {
  const result = await db.execute(sql`
    with open as (
      select d.id from ${deliveries} d join ${webhooks} w on w.id = d.webhook_id
      where d.status in ('pending', 'retrying') and ${condition}
      order by d.id limit ${BATCH} for no key update of d
    )
    update ${deliveries} d set status = 'cancelled', due_at = null from open where d.id = open.id`);
  return result.rowCount ?? 0;
}

const isInactive = sql`d.leased_until is null and not (w.active and w.deleted_at is null)`;

/** Cancels what is due while its webhook is inactive or deleted (design section 6). Returns how many. */
export const cancelDueOfInactive = (db: Db): Promise<number> =>
  cancelWhere(db, sql`d.due_at <= now() and ${isInactive}`);

/** The same for one attempt whose time the queue has announced. True when it was cancelled. */
export const cancelAttemptOfInactive = async (db: Db, deliveryId: string, attempt: number): Promise<boolean> =>
  (await cancelWhere(db, sql`d.id = ${deliveryId} and d.next_attempt = ${attempt} and ${isInactive}`)) > 0;

/** Cancels all that still waits for a webhook, in batches. An attempt under way ends by itself. */
export async function cancelAllOf(db: Db, webhookId: string): Promise<void> {
  let cancelled: number;
  do {
    cancelled = await cancelWhere(db, sql`w.id = ${webhookId}`);
  } while (cancelled === BATCH);
}
