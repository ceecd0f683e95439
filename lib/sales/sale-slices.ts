import type { Vesting } from '@tranche/rules/vesting.ts';
import type { Ctx } from '#lib/ctx.ts';

/** Investments of one transaction. */
const MAX_INVESTMENTS = 2_000;
/** Rows of `payouts` that one transaction locks or writes: a long vesting makes many of each investment. */
const MAX_PARTS = 20_000;

/** How many investments of a sale are planned or refunded in one transaction. */
export const investmentsPerSlice = (vesting: Vesting): number =>
  Math.max(1, Math.min(MAX_INVESTMENTS, Math.floor(MAX_PARTS / (vesting.periods + 1))));

/** What one transaction has done for a sale; `next` is where the next one goes on, null when none is needed. */
export interface SaleSlice<Position> {
  done: number;
  next: Position | null;
}

/** What the log is given about a sale that failed. */
export interface SaleFailure extends Record<string, unknown> {
  err: unknown;
  project_id: string;
}

/**
 * Works on sales in their order, slice after slice until `deadlineMs` (of ctx.clock), and at least one slice. `more`: the
 * time was up before all was done. `broken` sales failed, which keeps no other sale back; `onFailure` says why.
 */
export async function workOnSales<Sale extends { id: string }, Position>(
  ctx: Ctx,
  deadlineMs: number,
  sales: readonly Sale[],
  onFailure: (failed: SaleFailure) => void,
  workOn: (sale: Sale, from: Position | null) => Promise<SaleSlice<Position>>,
): Promise<{ done: number; more: boolean; broken: number }> {
  const total = { done: 0, more: false, broken: 0 };
  for (const [index, sale] of sales.entries()) {
    try {
      let next: Position | null = null;
      do {
        const slice: SaleSlice<Position> = await workOn(sale, next);
        total.done += slice.done;
        next = slice.next;
        if (ctx.clock.nowMs() >= deadlineMs) {
          return { ...total, more: next !== null || index < sales.length - 1 };
        }
      } while (next !== null);
    } catch (err) {
      onFailure({ err, project_id: sale.id });
      total.broken += 1;
    }
  }
  return total;
}
