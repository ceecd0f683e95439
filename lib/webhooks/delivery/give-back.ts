import { sql } from 'drizzle-orm';
import { deliveries } from '#drizzle/schema/events.ts';
import { bulkRows } from '#lib/base/bulk.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { DueAttempt } from './claim.ts';

/** Gives claims back of which nothing came, as if they had never been made. What was claimed anew meanwhile stays so. */
export async function giveBack(ctx: Ctx, claimed: readonly DueAttempt[]): Promise<void> {
  if (claimed.length === 0) return;
  const given = bulkRows(
    'given',
    { id: 'text', leased_until: 'timestamptz' },
    claimed.map(({ deliveryId, leasedUntil }) => ({ id: deliveryId, leased_until: leasedUntil })),
  );
  await ctx.db.execute(sql`
    with held as materialized (
      select d.id from ${given} join ${deliveries} d on d.id = given.id and d.leased_until = given.leased_until
      order by d.id for no key update of d
    )
    update ${deliveries} d set leased_until = null where d.id = any (array(select id from held))`);
}
