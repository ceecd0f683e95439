import { eq, sql } from 'drizzle-orm';
import { depositAccounts } from '#drizzle/schema/sale.ts';
import { logFailure } from '#lib/base/outage-log.ts';
import type { Ctx } from '#lib/ctx.ts';
import { type Advanced, advanceAccount } from './advance-account.ts';
import { defineJob } from './engine.ts';

export interface FeedsRead extends Omit<Advanced, 'from' | 'to'> {
  /** Null when there is no account to read. */
  from: number | null;
  to: number | null;
  /** Accounts whose feed could not be read, with their errors. */
  failures: { account: string; error: unknown }[];
}

/**
 * Brings every deposit account up to the validated ledger, each within its share of the time until `deadlineMs` (of
 * ctx.clock), so that one with much to catch up on leaves some for the others. One account's fault does not stop the others.
 */
export async function readFeeds(
  ctx: Ctx,
  deadlineMs: number,
  stillMine: () => Promise<boolean> = async () => true,
): Promise<FeedsRead> {
  const total: FeedsRead = {
    from: null,
    to: null,
    recognised: 0,
    confirmed: 0,
    refused: 0,
    tiersCompleted: 0,
    more: false,
    failures: [],
  };
  const accounts = await ctx.db
    .select({ address: depositAccounts.address })
    .from(depositAccounts)
    .where(eq(depositAccounts.halted, false))
    // Any order but a fixed one: an account that always takes too long must not always be the first.
    .orderBy(sql`random()`);
  if (accounts.length === 0) return total;
  const server = await ctx.ledger.serverState();
  for (const [index, { address }] of accounts.entries()) {
    const nowMs = ctx.clock.nowMs();
    if (nowMs >= deadlineMs) {
      total.more = true;
      break;
    }
    const shareEndsAtMs = nowMs + (deadlineMs - nowMs) / (accounts.length - index);
    try {
      add(total, await advanceAccount(ctx, { account: address, server, deadlineMs: shareEndsAtMs, stillMine }));
    } catch (error) {
      logFailure(ctx, { err: error, account: address }, 'the feed could not be read');
      total.failures.push({ account: address, error });
    }
  }
  return total;
}

function add(total: FeedsRead, advanced: Advanced): void {
  total.from = Math.min(total.from ?? advanced.from, advanced.from);
  total.to = Math.max(total.to ?? advanced.to, advanced.to);
  total.recognised += advanced.recognised;
  total.confirmed += advanced.confirmed;
  total.refused += advanced.refused;
  total.tiersCompleted += advanced.tiersCompleted;
  total.more ||= advanced.more;
}

/** Reads the feeds of the deposit accounts, and decides what is confirmable. */
export const intake = defineJob({
  name: 'intake',
  schedule: 'every slice',
  budgetMs: 9_500,
  leaseSeconds: 15,
  faultName: 'read_feeds',
  async run(ctx, { deadlineMs, stillMine }) {
    const read = await readFeeds(ctx, deadlineMs, stillMine);
    return { ...read, faults: read.failures.map(({ account }) => `read_feeds ${account}`) };
  },
});
