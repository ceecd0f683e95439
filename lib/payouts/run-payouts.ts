import { PlatformError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { acquireLease, releaseLease } from '#lib/base/lease.ts';
import { logFailure } from '#lib/base/outage-log.ts';
import type { Ctx } from '#lib/ctx.ts';
import { payAccount, SIGNER_LEASE_SECONDS } from './pay-account.ts';
import { loadAccounts, loadRemaining, type Remaining } from './select.ts';
import { noCounts, type PayoutCounts } from './types.ts';

export interface PayoutRun extends PayoutCounts, Remaining {
  /** Accounts that another slice is paying from right now. */
  busy: number;
  /** Accounts whose slice ended with an error of their own, which the log names. */
  broken: number;
}

/**
 * One slice of paying out, for one account or all that have something to do: settles what is under way, pays what is
 * due, within `deadlineMs` (milliseconds since the Unix epoch, by the ctx's clock), and one batch of one account even when
 * that has passed: what came before it must not keep everybody from being paid. Safe to run any number of times and
 * beside itself: one leased signer an account, every transaction persisted before it is submitted, and a new attempt
 * only once the old one can never succeed (docs/ledger-facts.md, 12).
 * Throws PlatformError `ledger_unavailable`; nothing is lost by that.
 */
export async function runPayouts(ctx: Ctx, input: { account?: string; deadlineMs: number }): Promise<PayoutRun> {
  const server = await ctx.ledger.serverState();
  const ledgerTime = new Date(server.validatedAtMs);
  const accounts =
    input.account === undefined ? shuffled(ctx, await loadAccounts(ctx.db, ledgerTime)) : [input.account];
  const counts = noCounts();
  let busy = 0;
  let broken = 0;
  for (const [index, account] of accounts.entries()) {
    const nowMs = ctx.clock.nowMs();
    if (index > 0 && nowMs >= input.deadlineMs) break;
    // Each has its share of the time that is left, so that one with much to do leaves some for the others.
    const deadlineMs = nowMs + (input.deadlineMs - nowMs) / (accounts.length - index);
    const lease = { name: `signer:${account}`, holder: newId('req', ctx.random) };
    if (!(await acquireLease(ctx.db, lease.name, lease.holder, SIGNER_LEASE_SECONDS))) {
      busy += 1;
      continue;
    }
    try {
      await payAccount(ctx, account, lease, deadlineMs, counts);
    } catch (error) {
      // Without the ledger no account can be paid, and this throws. Any other fault keeps no other account from being paid.
      if (error instanceof PlatformError && error.code === 'ledger_unavailable') await ctx.ledger.serverState();
      broken += 1;
      logFailure(ctx, { err: error, account }, 'paying out from this account failed');
    } finally {
      await releaseLease(ctx.db, lease.name, lease.holder);
    }
  }
  return { ...counts, busy, broken, ...(await loadRemaining(ctx.db, ledgerTime)) };
}

/** In an order that no account can count on: a slice that ends early ends for another one each time. */
function shuffled(ctx: Ctx, accounts: readonly string[]): string[] {
  return accounts
    .map((account) => ({ account, position: Buffer.from(ctx.random(8)).readBigUInt64BE() }))
    .sort((a, b) => (a.position < b.position ? -1 : 1))
    .map(({ account }) => account);
}
