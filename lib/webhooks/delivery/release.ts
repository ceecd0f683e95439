import { sql } from 'drizzle-orm';
import { deliveries, deliveryAttempts } from '#drizzle/schema/events.ts';
import { textArray } from '#lib/base/bulk.ts';
import { newId } from '#lib/base/ids.ts';
import type { Ctx } from '#lib/ctx.ts';
import { claimedAt } from './claim.ts';

/** Rows one statement takes on, so that a backlog cannot make it long. */
const BATCH = 500;
/** A delivery that was interrupted this often is not interrupted by chance: it would go round for ever. */
const MAX_INTERRUPTED = 20;

/**
 * Frees deliveries whose lease ran out (database clock): whoever held it died. The attempt is recorded `interrupted`
 * and is made again under the same number, so no step of the schedule is lost (docs/webhooks.md#retries). The twentieth
 * time ends the delivery as `failed`. With `deliveryId` only that one. Returns how many were freed.
 */
export async function releaseExpiredLeases(ctx: Ctx, deliveryId: string | null = null): Promise<number> {
  const attemptIds = Array.from({ length: deliveryId === null ? BATCH : 1 }, () => newId('att', ctx.random));
  // The attempt that is recorded by this very statement is not among those it counts.
  const result = await ctx.db.execute<{ id: string; givenUp: boolean }>(sql`
    with expired as (
      select d.id, d.next_attempt, ${claimedAt()} as claimed_at,
        (select count(*) from ${deliveryAttempts} a where a.delivery_id = d.id and a.error_kind = 'interrupted') + 1
          >= ${MAX_INTERRUPTED}::integer and d.status in ('pending', 'retrying') as given_up
      from ${deliveries} d
      where d.leased_until < now() and (${deliveryId}::text is null or d.id = ${deliveryId})
      order by d.id limit ${BATCH} for no key update skip locked
    ),
    interrupted as (
      insert into ${deliveryAttempts} (id, delivery_id, attempt, started_at, error_kind)
      select (${textArray(attemptIds)})[row_number() over ()], id, next_attempt, claimed_at, 'interrupted' from expired
    )
    update ${deliveries} d
    set leased_until = null,
      status = case when given_up then 'failed' else d.status end,
      due_at = case when given_up then null else d.due_at end,
      next_attempt = d.next_attempt + case when given_up then 1 else 0 end
    from expired where d.id = expired.id
    returning d.id, given_up as "givenUp"`);
  for (const { id } of result.rows.filter(({ givenUp }) => givenUp)) {
    ctx.log.error({ delivery_id: id }, `A delivery was given up: ${MAX_INTERRUPTED} attempts were interrupted`);
  }
  return result.rows.length;
}
