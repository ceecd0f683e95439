import type { Custody } from '@tranche/rules/custody.ts';
import { accountCustody } from '#lib/account-custody.ts';
import { awaitedLater } from '#lib/base/awaited-later.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { acquireLease, releaseLease } from '#lib/base/lease.ts';
import { logFailure } from '#lib/base/outage-log.ts';
import type { Ctx } from '#lib/ctx.ts';
import { signaturesOf } from '#lib/xrpl/multi-signer.ts';
import { readAllowance } from './ceiling.ts';
import { beginEarlyReads, type EarlyReads, setAside } from './early-reads.ts';
import { isSomethingDue, loadAccounts } from './load.ts';
import { findLost } from './lost-tickets.ts';
import { reportOverdue } from './overdue.ts';
import { cancelUseless, payAssigned } from './pay-assigned.ts';
import { payBatch } from './pay-batch.ts';
import { type Settled, settleAttempts, settlePaid } from './settle.ts';
import { SIGNER_LEASE_SECONDS, type Slice } from './slice.ts';
import { settleTicketRequests } from './tickets.ts';
import { requestAhead } from './tickets-ahead.ts';
import { noCounts, type PayoutCounts } from './types.ts';

export interface PayoutRun extends PayoutCounts {
  /** Something is under way or due already: come again with the next ledger. */
  remaining: boolean;
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
  const coming = input.account === undefined ? await loadAccounts(ctx.db, ledgerTime) : new Map<string, number>();
  const accounts = input.account === undefined ? shuffled(ctx, [...coming.keys()]) : [input.account];
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
      await payAccount(ctx, { account, lease, deadlineMs, counts, coming: coming.get(account) ?? 0 });
    } catch (error) {
      // Without the ledger no account can be paid, and this throws. Any other fault keeps no other account from being paid.
      if (error instanceof PlatformError && error.code === 'ledger_unavailable') await ctx.ledger.serverState();
      broken += 1;
      logFailure(ctx, { err: error, account }, 'paying out from this account failed');
    } finally {
      await releaseLease(ctx.db, lease.name, lease.holder);
    }
  }
  return { ...counts, busy, broken, remaining: await isSomethingDue(ctx.db, ledgerTime) };
}

/** In an order that no account can count on: a slice that ends early ends for another one each time. */
function shuffled(ctx: Ctx, accounts: readonly string[]): string[] {
  return accounts
    .map((account) => ({ account, position: Buffer.from(ctx.random(8)).readBigUInt64BE() }))
    .sort((a, b) => (a.position < b.position ? -1 : 1))
    .map(({ account }) => account);
}

/** Settles what is open, then pays batch after batch, at least one, while it makes progress. The caller holds the signer's lease. */
export async function payAccount(
  ctx: Ctx,
  given: Pick<Slice, 'account' | 'lease' | 'deadlineMs' | 'coming' | 'counts'>,
): Promise<void> {
  const { account, deadlineMs, counts } = given;
  const custody = await accountCustody(ctx.db, account);
  const early = custody === null ? beginEarlyReads(ctx, account) : null;
  const requests = custody === null ? awaitedLater(settleTicketRequests(ctx, account)) : null;
  let written = Promise.resolve();
  try {
    const settled = await settleAttempts(ctx, account, counts);
    written = settled.written;
    if (custody !== null) await written;
    const tickets = await (requests ?? settleTicketRequests(ctx, account));
    const slice = await openSlice(ctx, given, { custody, settled, early, tickets });
    if (slice.isWitnessed) await settlePaid(ctx, account, await findLost(ctx, account), counts);
    const waitingBefore = counts.waiting;
    try {
      let more: boolean;
      do more = slice.isWitnessed ? await payAssigned(ctx, slice) : await payBatch(ctx, slice);
      while (more && ctx.clock.nowMs() < deadlineMs);
    } finally {
      await slice.submitting;
      await slice.recording;
    }
    if (slice.isWitnessed) await cancelUseless(ctx, slice);
    else await requestAhead(ctx, slice);
    if (counts.waiting > waitingBefore) await reportOverdue(ctx, account);
  } finally {
    await requests?.catch(() => undefined);
    if (early !== null) await setAside(early);
    await written;
  }
}

async function openSlice(
  ctx: Ctx,
  given: Parameters<typeof payAccount>[1],
  {
    custody,
    settled,
    early,
    tickets,
  }: {
    custody: Custody | null;
    settled: Settled;
    early: EarlyReads | null;
    tickets: Awaited<ReturnType<typeof settleTicketRequests>>;
  },
): Promise<Slice> {
  // What has just expired no longer counts, and what is under way takes its room.
  const isAsRead = early !== null && settled.changesNothingElse && settled.open.length === 0;
  const batch = isAsRead ? await early.batch : null;
  const isOlder = batch !== null && batch.readIn < Math.max(settled.decidedIn, tickets.decidedIn);
  if (early !== null && (!isAsRead || isOlder)) await setAside(early);
  return {
    ...given,
    inFlight: settled.open.map((attempt) => attempt.payout),
    isWitnessed: custody !== null,
    signatures: custody === null ? 0 : signaturesOf(custody),
    ticketsRequested: tickets.isOpen,
    ticketsDecided: false,
    allowance: await (isAsRead ? early.allowance : readAllowance(ctx, given.account)),
    early: isOlder ? null : batch,
    before: null,
    freeTickets: [],
    leaving: new Set(),
    submitting: Promise.resolve(),
    recording: Promise.resolve(),
  };
}
