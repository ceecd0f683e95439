import { sql } from 'drizzle-orm';
import { deliveries, deliveryAttempts } from '#drizzle/schema/events.ts';
import type { Db } from '#lib/platform/db.ts';

/** Rows one statement takes on, so that a backlog cannot make it long. */
const BATCH = 500;

/**
 * Frees deliveries whose lease ran out (database clock): whoever held it died. The attempt is recorded `interrupted`
 * and is made again under the same number, so no step of the schedule is lost (design section 6).
 * With `deliveryId` only that one. Returns how many were freed.
 */
export async function releaseExpiredLeases(db: Db, deliveryId: string | null = null): Promise<number> {
  const result = await db.execute(sql`
    with expired as (
      select d.id, d.next_attempt from ${deliveries} d
      where d.leased_until < now() and (${deliveryId}::text is null or d.id = ${deliveryId})
      order by d.id limit ${BATCH} for no key update skip locked
    ),
    interrupted as (
      update ${deliveryAttempts} a set error_kind = 'interrupted' from expired
      where a.delivery_id = expired.id and a.attempt = expired.next_attempt
        and a.duration_ms is null and a.error_kind is null
    )
    update ${deliveries} d set leased_until = null from expired where d.id = expired.id`);
  return result.rowCount ?? 0;
}
