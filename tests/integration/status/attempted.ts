import { sql } from 'drizzle-orm';
import type { Db } from '#lib/base/db.ts';
import { reportInvestments } from '#tests/integration/webhooks/stage.ts';

/**
 * Deliveries of which the n-th had its last attempt n seconds before five minutes ago: one in ten gave up with it, one in ten
 * will be tried again, and the others arrived after 7 n milliseconds.
 */
export async function attemptDeliveries(db: Db, count: number): Promise<void> {
  await reportInvestments(db, count);
  await db.execute(sql`
    with numbered as (select id, row_number() over (order by id) as n from deliveries),
    made as (
      insert into delivery_attempts (id, delivery_id, attempt, started_at, duration_ms, error_kind)
      select 'att_' || n, id, 1, now() - interval '5 minutes' - n * interval '1 second', 5,
        case when n % 10 < 2 then 'status' end
      from numbered returning delivery_id, started_at
    )
    update deliveries d set next_attempt = 2, created_at = m.started_at,
      status = case n % 10 when 0 then 'failed' when 1 then 'retrying' else 'success' end,
      due_at = case n % 10 when 1 then now() + interval '1 hour' end,
      delivered_at = case when n % 10 > 1 then m.started_at + n * interval '7 milliseconds' end
    from numbered, made m where numbered.id = d.id and m.delivery_id = d.id`);
}
