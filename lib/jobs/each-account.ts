import { eq, sql } from 'drizzle-orm';
import { depositAccounts } from '#drizzle/schema/sale.ts';
import { logFailure } from '#lib/base/outage-log.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { ServerState } from '#lib/xrpl/types.ts';

/** How far an account may be brought: what `server` has validated, until `deadlineMs` (of ctx.clock) and while `stillMine`. */
export interface AccountShare {
  account: string;
  server: ServerState;
  deadlineMs: number;
  stillMine: () => Promise<boolean>;
}

export interface AccountsDone {
  /** The time was up before all was done. */
  more: boolean;
  /** Accounts that could not be brought forward, with their errors. */
  failures: { account: string; error: unknown }[];
}

/**
 * Does `work` for each deposit account that is not halted, each within its share of the time until `deadlineMs`, so that one
 * with much to catch up on leaves some for the others; and for one account even when that time has passed, because a ledger
 * that answers late must not stop all of them. One account's fault does not stop the others. `work` tells whether more is
 * left.
 */
export async function eachAccount(
  ctx: Ctx,
  { deadlineMs, stillMine }: { deadlineMs: number; stillMine: () => Promise<boolean> },
  work: (share: AccountShare) => Promise<boolean>,
): Promise<AccountsDone> {
  const done: AccountsDone = { more: false, failures: [] };
  const accounts = await ctx.db
    .select({ address: depositAccounts.address })
    .from(depositAccounts)
    .where(eq(depositAccounts.halted, false))
    // Any order but a fixed one: an account that always takes too long must not always be the first.
    .orderBy(sql`random()`);
  if (accounts.length === 0) return done;
  const server = await ctx.ledger.serverState();
  for (const [index, { address }] of accounts.entries()) {
    const nowMs = ctx.clock.nowMs();
    if ((index > 0 && nowMs >= deadlineMs) || !(await stillMine())) return { ...done, more: true };
    const shareEndsAtMs = nowMs + (deadlineMs - nowMs) / (accounts.length - index);
    try {
      done.more = (await work({ account: address, server, deadlineMs: shareEndsAtMs, stillMine })) || done.more;
    } catch (error) {
      logFailure(ctx, { err: error, account: address }, 'the feed could not be read');
      done.failures.push({ account: address, error });
    }
  }
  return done;
}
