import { and, eq, inArray, lte } from 'drizzle-orm';
import { projects } from '#drizzle/schema/sale.ts';
import type { Ctx } from '#lib/ctx.ts';
import { agreedHead } from '#lib/sale/feed/agreed-feed.ts';
import { confirm } from '#lib/sale/feed/confirm.ts';
import { readPlace } from '#lib/sale/feed/place.ts';

export interface ConfirmedThrough {
  confirmed: number;
  refused: number;
  tiersCompleted: number;
}

/** Ledgers may run ahead of this clock; a minute too early costs one request and decides nothing. */
const CLOCK_MARGIN_MS = 60_000;

/**
 * Decides what is recognised up to `throughLedger`, batch after batch, while `mayGoOn` says so; false when it stopped
 * before the end for that. Adds to `total`.
 */
export async function confirmThrough(
  ctx: Ctx,
  input: { account: string; throughLedger: number; mayGoOn: () => Promise<boolean> },
  total: ConfirmedThrough,
): Promise<boolean> {
  const { account, throughLedger } = input;
  let { confirmedLedger } = await readPlace(ctx.db, account);
  if (confirmedLedger >= throughLedger) return true;
  const closedAtMs = await closeTimeIfAnEndIsNear(ctx, account, throughLedger);
  for (;;) {
    const done = await confirm(ctx, { account, throughLedger, closedAtMs });
    total.confirmed += done.confirmed;
    total.refused += done.refused;
    total.tiersCompleted += done.tiersCompleted;
    // Halted meanwhile, or decided by somebody else: there is nothing for us to go on with.
    if (done.confirmedLedger <= confirmedLedger) return true;
    confirmedLedger = done.confirmedLedger;
    if (confirmedLedger >= throughLedger) return true;
    if (!(await input.mayGoOn())) return false;
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
  if (ending === undefined) return null;
  // Until two servers agree on the time, nothing ends by it: the next run asks again.
  return (await agreedHead(ctx, ledgerIndex))?.closedAtMs ?? null;
}
