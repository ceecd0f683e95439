import { eq, sql } from 'drizzle-orm';
import { depositAccounts } from '#drizzle/schema/sale.ts';
import { newId } from '#lib/base/ids.ts';
import { withLease } from '#lib/base/lease.ts';
import { logFailure } from '#lib/base/outage-log.ts';
import type { Ctx } from '#lib/ctx.ts';
import { type Advanced, advanceAccount } from './advance-account.ts';

const LEASE_SECONDS = 15;
/** A caller that meets another slice at work waits for it this long, so that what it asked for is done when it is answered. */
const WAIT_FOR_OTHER_MS = 5_000;

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
export async function readFeeds(ctx: Ctx, deadlineMs: number): Promise<FeedsRead> {
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
      const lease = {
        name: `feed:${address}`,
        holder: newId('req', ctx.random),
        ttlSeconds: LEASE_SECONDS,
        waitMs: Math.min(WAIT_FOR_OTHER_MS, deadlineMs - nowMs),
      };
      const advanced = await withLease(ctx.db, lease, (stillMine) =>
        advanceAccount(ctx, { account: address, server, deadlineMs: shareEndsAtMs, stillMine }),
      );
      if (advanced !== null) add(total, advanced.done);
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
