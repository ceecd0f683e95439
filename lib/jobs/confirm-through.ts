import { and, eq, inArray, lte } from 'drizzle-orm';
import { projects } from '#drizzle/schema/sale.ts';
import type { Ctx } from '#lib/ctx.ts';
import { agreedThrough } from '#lib/sale/feed/agreed-through.ts';
import { confirm } from '#lib/sale/feed/confirm.ts';
import { readPlace } from '#lib/sale/feed/place.ts';

export interface ConfirmedThrough {
  confirmed: number;
  refused: number;
  tiersCompleted: number;
  deliveries: number;
}

/** Ledgers may run ahead of this clock; a minute too early costs one request and decides nothing. */
const CLOCK_MARGIN_MS = 60_000;

/**
 * Decides what is recognised up to `throughLedger`, batch after batch; with several ledger servers configured, only as
 * far as two of them report the same. Adds to `total`.
 */
export async function confirmThrough(
  ctx: Ctx,
  account: string,
  throughLedger: number,
  total: ConfirmedThrough,
): Promise<void> {
  let { confirmedLedger } = await readPlace(ctx.db, account);
  while (confirmedLedger < throughLedger) {
    const agreed = await agreedThrough(ctx, { account, afterLedger: confirmedLedger, throughLedger });
    if (agreed <= confirmedLedger) return;
    const closedAtMs = await closeTimeIfAnEndIsNear(ctx, account, agreed);
    const done = await confirm(ctx, { account, throughLedger: agreed, closedAtMs });
    total.confirmed += done.confirmed;
    total.refused += done.refused;
    total.tiersCompleted += done.tiersCompleted;
    total.deliveries += done.deliveries;
    // Halted meanwhile, or decided by somebody else: there is nothing for us to go on with.
    if (done.confirmedLedger <= confirmedLedger) return;
    confirmedLedger = done.confirmedLedger;
  }
}

/** Only a sale whose `ends_at` has come needs to know the ledger's time; for all others the request is saved. */
async function closeTimeIfAnEndIsNear(ctx: Ctx, account: string, ledgerIndex: number): Promise<number | null> {
  const [ending] = await ctx.db
    .select({ id: projects.id })
    .from(projects)
    .where(
      and(
        eq(projects.depositAddress, account),
        inArray(projects.status, ['active', 'paused']),
        lte(projects.endsAt, new Date(ctx.clock.nowMs() + CLOCK_MARGIN_MS)),
      ),
    )
    .limit(1);
  return ending === undefined ? null : ctx.ledger.closedAtMs(ledgerIndex);
}
