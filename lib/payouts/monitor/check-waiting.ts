import type { Ctx } from '#lib/ctx.ts';
import type { AccountState, Ledger } from '#lib/xrpl/types.ts';
import { markReady, postponePlanned } from '../change-status.ts';
import { logFaults, type Plan } from '../check.ts';
import { noCounts } from '../types.ts';
import { addCounts, type WaitingCounts } from './counts.ts';
import { examinePage } from './examine-page.ts';
import { lineBook } from './line-book.ts';
import { countWaitingHolders, loadWaiting } from './load-waiting.ts';

/** Payouts that are examined and written together: a page must fit well into a slice. */
const PAGE = 200;

/** Where the next slice goes on: behind the payout with this id. */
export type WaitingCursor = string;
export const FROM_THE_START: WaitingCursor = '';

/**
 * One slice of looking at every distribution that waits: pages by id until `deadlineMs`. What became payable is `ready`
 * for the payer at once; the others get the reason that holds now. Adds to `counts`. Gives the cursor of the next slice,
 * null when there is nothing left. Throws PlatformError `ledger_unavailable`; what was written by then stays.
 */
export async function checkWaiting(
  ctx: Ctx,
  input: { after: WaitingCursor; deadlineMs: number; counts: WaitingCounts; stillMine: () => Promise<boolean> },
): Promise<WaitingCursor | null> {
  const server = await ctx.ledger.serverState();
  const ledger = await rememberingLedger(ctx);
  let after = input.after;
  for (;;) {
    const page = await loadWaiting(ctx.db, after, PAGE);
    const last = page.at(-1);
    if (last === undefined) return null;
    const plan = await examinePage(ledger, server, page);
    logFaults(ctx, plan);
    await postponePlanned(ctx.db, plan, noCounts());
    await markReady(ctx.db, payableOf(plan, page));
    addCounts(input.counts, plan);
    if (page.length < PAGE) return null;
    after = last.payout.id;
    if (ctx.clock.nowMs() >= input.deadlineMs || !(await input.stillMine())) return after;
  }
}

function payableOf<T extends { payout: { id: string } }>(plan: Plan, page: readonly T[]): T[] {
  const payable = new Set(plan.payable.map(({ id }) => id));
  return page.filter(({ payout }) => payable.has(payout.id));
}

/** The ledger as one slice sees it: no account and no line is asked for twice. */
async function rememberingLedger(ctx: Ctx): Promise<Ledger> {
  const accounts = new Map<string, Promise<AccountState | null>>();
  return {
    ...ctx.ledger,
    trustLine: lineBook(ctx.ledger, await countWaitingHolders(ctx.db)),
    account(address) {
      const reading = accounts.get(address) ?? ctx.ledger.account(address);
      accounts.set(address, reading);
      return reading;
    },
  };
}
