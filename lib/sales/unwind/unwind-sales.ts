import { and, asc, eq, isNull } from 'drizzle-orm';
import { depositAccounts, projects } from '#drizzle/schema/sale.ts';
import { logFailure } from '#lib/base/outage-log.ts';
import type { Ctx } from '#lib/ctx.ts';
import { type Place, unwindSlice } from './unwind-slice.ts';

interface SalesUnwound {
  /** Investments that were taken back, or found distributed whole. */
  unwound: number;
  /** The time was up before every investment was looked at. */
  more: boolean;
  /** Sales that could not be unwound; the log names why. */
  broken: number;
}

/**
 * Takes back what sales that were cancelled, or missed their soft cap, have not distributed (docs/verification.md,
 * section 6), slice after slice until `deadlineMs` (of ctx.clock), and at least one slice. Safe beside itself,
 * confirmations and payers.
 */
export async function unwindSales(ctx: Ctx, deadlineMs: number): Promise<SalesUnwound> {
  const total: SalesUnwound = { unwound: 0, more: false, broken: 0 };
  const cancelled = await ctx.db
    .select({ id: projects.id })
    .from(projects)
    .innerJoin(depositAccounts, eq(depositAccounts.address, projects.depositAddress))
    .where(and(eq(projects.status, 'cancelled'), isNull(projects.unwoundAt), eq(depositAccounts.halted, false)))
    .orderBy(asc(projects.endedAt));
  for (const { id } of cancelled) {
    try {
      let place: Place | null = null;
      do {
        const slice = await unwindSlice(ctx, id, place);
        total.unwound += slice.unwound;
        place = slice.next;
        if (ctx.clock.nowMs() >= deadlineMs) {
          total.more ||= place !== null || id !== cancelled.at(-1)?.id;
          return total;
        }
      } while (place !== null);
    } catch (err) {
      // One sale's fault keeps no other investor from a refund.
      logFailure(ctx, { err, project_id: id }, 'a cancelled sale could not be unwound');
      total.broken += 1;
    }
  }
  return total;
}
