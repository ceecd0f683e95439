import { inArray, sql } from 'drizzle-orm';
import { portalLinks } from '#drizzle/schema/portal.ts';
import type { Ctx } from '#lib/ctx.ts';

/** What was done by a link can be looked up for this long after its end; of one that nobody opened there is nothing to say. */
const KEPT_DAYS = 30;
const KEPT_UNOPENED_DAYS = 1;
/** Links that one statement takes on, with their entries. */
const BATCH = 100;

/** Removes links that are long over, batch after batch until `deadlineMs` (of ctx.clock), and at least one. Safe beside itself. */
export async function removeExpiredLinks(ctx: Ctx, deadlineMs: number): Promise<number> {
  const old = ctx.db
    .select({ id: portalLinks.id })
    .from(portalLinks)
    .where(
      sql`${portalLinks.expiresAt} < now() - make_interval(days =>
        case when ${portalLinks.openedAt} is null then ${KEPT_UNOPENED_DAYS}::integer else ${KEPT_DAYS}::integer end)`,
    )
    .limit(BATCH)
    .for('update', { skipLocked: true });
  let removed = 0;
  for (;;) {
    const { rowCount } = await ctx.db.delete(portalLinks).where(inArray(portalLinks.id, old));
    removed += rowCount ?? 0;
    if ((rowCount ?? 0) < BATCH || ctx.clock.nowMs() >= deadlineMs) return removed;
  }
}
