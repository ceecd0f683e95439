import type { Custody, Purpose } from '@tranche/rules/custody.ts';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { payouts } from '#drizzle/schema/payouts.ts';
import { depositAccounts } from '#drizzle/schema/sale.ts';
import { accountCustody } from '#lib/account-custody.ts';
import { textArray } from '#lib/base/bulk.ts';
import type { Db } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { acquireLease, releaseLease, renewLease } from '#lib/base/lease.ts';
import type { Drops } from '#lib/base/money.ts';
import { logFailure } from '#lib/base/outage-log.ts';
import type { Ctx } from '#lib/ctx.ts';
import { appendEvents } from '#lib/events/append.ts';
import { signaturesOf } from '#lib/xrpl/multi-signer.ts';
import { isFeeAbove } from '#lib/xrpl/server-state.ts';
import type { Signer } from '#lib/xrpl/signer.ts';
import type { AccountState, ServerState } from '#lib/xrpl/types.ts';
import {
  type AssignedTickets,
  assignTicketTo,
  cancelTickets,
  readAssignedTickets,
  requestAssignedTickets,
  ticketRoom,
} from './assigned-tickets.ts';
import {
  findPayer,
  type Payer,
  type RefusedPayout,
  recordAnswers,
  type SignedAttempt,
  signAttempts,
  submitAttempts,
} from './attempts.ts';
import { type Allowance, admit, isMinor, queueForAllowance, readAllowance, spend } from './ceiling.ts';
import { postponeAll, postponePlanned } from './change-status.ts';
import { type CheckedPayout, logFaults, type Plan, planPayouts, readFacts } from './check.ts';
import { type AlertEvent, databaseBehind, isUnusableKey, unusableKey } from './events.ts';
import { countDue, isSomethingDue, loadAccounts, loadDue, loadHalted, unpaidDrops } from './load.ts';
import { findLost } from './lost-tickets.ts';
import { reportOverdue } from './overdue.ts';
import { purposeIdOf, purposeOf } from './purposes.ts';
import { freeDrops, whenPaid } from './release/amounts.ts';
import { readAccountCommitments, withBalance } from './release/read-amounts.ts';
import { checkRestoreGuard } from './restore-guard.ts';
import { settleAttempts, settlePaid } from './settle.ts';
import {
  affordsTicket,
  freeTickets,
  MAX_TICKETS,
  requestTickets,
  SPARE_TICKETS,
  settleTicketRequests,
  ticketsToRequest,
} from './tickets.ts';
import {
  BATCH,
  MAX_IN_FLIGHT,
  noCounts,
  type OpenAttempt,
  type Payout,
  type PayoutCounts,
  type PayoutReason,
  WITNESSED_BATCH,
} from './types.ts';

/** Tickets that one slice cancels at most. */
const MAX_CANCELLATIONS = 50;
/** A slice that stops keeps its account from others no longer than this. */
const SIGNER_LEASE_SECONDS = 60;

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

interface SignerLease {
  name: string;
  holder: string;
}

/** One slice of paying from an account, kept up to date batch by batch. */
interface Slice {
  account: string;
  lease: SignerLease;
  /** Of ctx.clock. */
  deadlineMs: number;
  /** Distributions that the next ledger may make due. */
  coming: number;
  /** Payouts with an attempt that may still succeed. */
  inFlight: Payout[];
  allowance: Allowance;
  /** Witnesses sign for it: everything is paid with a ticket that was created for it. */
  isWitnessed: boolean;
  /** Signatures that each transaction carries beside its own field. */
  signatures: number;
  /** A TicketCreate is under way. */
  ticketsRequested: boolean;
  /** What the ledger showed before the slice submitted anything; null until something is payable. */
  before: LedgerBefore | null;
  /** Tickets of it that the slice has not signed with. Unused where witnesses sign. */
  freeTickets: number[];
  /** Tickets of payments that the server has applied to its open ledger: they are gone when it closes. */
  leaving: Set<number>;
  /** The batch that is being submitted while the next one is signed. */
  submitting: Promise<void>;
  /** Writing down what the server said to those before it. */
  recording: Promise<void>;
  counts: PayoutCounts;
}

interface LedgerBefore {
  payer: AccountState;
  ticketsHeld: number;
}

/** Payments that may still be submitted before others are validated. */
const roomOf = ({ inFlight }: Slice): number => MAX_IN_FLIGHT - inFlight.length;

/** Payouts that are checked, signed and submitted together. */
interface Batch {
  /** In the order in which they are paid. */
  due: Payout[];
  /** Of them, the minor ones (ceiling.ts). */
  minorIds: ReadonlySet<string>;
  /** Minor payouts go before all others here, because those would use up what is kept for them. */
  minorFirst: boolean;
  /** Minor payouts were left out: the hour has no more room for them. */
  minorLeftOut: boolean;
  /** There may be more due payouts behind these. */
  isFull: boolean;
  server: ServerState;
  ledgerTime: Date;
}

/** Settles what is open, then pays batch after batch, at least one, while it makes progress. The caller holds the signer's lease. */
export async function payAccount(
  ctx: Ctx,
  given: Pick<Slice, 'account' | 'lease' | 'deadlineMs' | 'coming' | 'counts'>,
): Promise<void> {
  const { account, deadlineMs, counts } = given;
  const { open, written } = await settleAttempts(ctx, account, counts);
  try {
    const custody = await accountCustody(ctx.db, account);
    if (custody !== null) await written;
    const slice = await openSlice(ctx, { ...given, custody, open });
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
    await written;
  }
}

async function openSlice(
  ctx: Ctx,
  {
    custody,
    open,
    ...given
  }: Parameters<typeof payAccount>[1] & {
    custody: Custody | null;
    open: readonly OpenAttempt[];
  },
): Promise<Slice> {
  // What has just expired no longer counts.
  const allowance = readAllowance(ctx, given.account);
  awaitedLater(allowance);
  const ticketsRequested = await settleTicketRequests(ctx, given.account);
  return {
    ...given,
    inFlight: open.map((attempt) => attempt.payout),
    isWitnessed: custody !== null,
    signatures: custody === null ? 0 : signaturesOf(custody),
    ticketsRequested,
    allowance: await allowance,
    before: null,
    freeTickets: [],
    leaving: new Set(),
    submitting: Promise.resolve(),
    recording: Promise.resolve(),
  };
}

/**
 * Pays the next batch, part by part: checks what is due against the ledger, signs and persists what would arrive, and only
 * then submits it; the next slice settles it (settle.ts). Meanwhile the ledger is read for the next part. Behind the last
 * part it asks for the tickets of the next batch. True when there may be more to do at once.
 */
async function payBatch(ctx: Ctx, slice: Slice): Promise<boolean> {
  const batch = await selectBatch(ctx, slice, roomOf(slice));
  if (batch === null) return false;
  const stock = slice.before === null ? freeTickets(ctx, slice.account) : null;
  if (stock !== null) awaitedLater(stock);
  const payer = await findPayerOf(ctx, slice, batch);
  if (payer === null) return batch.isFull;
  if (stock !== null) slice.freeTickets = (await stock).free;
  slice.before ??= { payer: payer.payer, ticketsHeld: (await stock)?.held ?? 0 };
  const payable: Payout[] = [];
  const withoutTicket: Payout[] = [];
  let isWhole = true;
  const readPart = (from: number) => beginToRead(ctx, batch, payer, batch.due.slice(from, from + BATCH));
  let ahead: Promise<CheckedPayout[]> | null = null;
  for (let from = 0; from < batch.due.length && isWhole; from += BATCH) {
    if (from > 0 && (withoutTicket.length > 0 || ctx.clock.nowMs() >= slice.deadlineMs)) {
      isWhole = false;
      break;
    }
    const checked: readonly CheckedPayout[] = await (ahead ?? readPart(from));
    const next = from + BATCH;
    // Without a ticket for it, it is most likely not looked at.
    ahead = next < batch.due.length && slice.freeTickets.length > checked.length ? readPart(next) : null;
    const part = await planPart(ctx, slice, checked);
    const tickets = slice.freeTickets.splice(0, part.length);
    payable.push(...part);
    withoutTicket.push(...part.slice(tickets.length));
    const pairs = tickets.flatMap((ticket, index) => {
      const payout = part[index];
      return payout === undefined ? [] : [{ payout, ticket }];
    });
    const signed = await signBatch(ctx, slice, batch, payer.signer, pairs);
    if (signed === null) return false;
    beginToSubmit(ctx, slice, batch, signed.attempts);
    // The rest of the XRP is queued, with what comes after it here.
    isWhole = !signed.xrpIsUsedUp;
  }
  if (isWhole) noteMinorFirst(slice, batch, payable);
  const hasMore = batch.isFull || !isWhole;
  const asked = { payable, withoutTicket, hasMore };
  const isStillOurs = await requestMoreTickets(ctx, slice, batch, payer.signer, slice.before, asked);
  return isStillOurs && withoutTicket.length === 0 && (hasMore || batch.minorLeftOut);
}

/** Whoever waits for it next is told that it failed; until then that must not end the process. */
function awaitedLater(work: Promise<unknown>): void {
  work.catch(() => undefined);
}

/** Begins to submit what `signBatch` gave just now: nothing comes between its look at the restore guard and this. */
function beginToSubmit(ctx: Ctx, slice: Slice, batch: Batch, attempts: readonly SignedAttempt[]): void {
  slice.submitting = submitAttempts(ctx, attempts).then((answers) => {
    for (const { attempt, isApplied } of answers) if (isApplied) slice.leaving.add(attempt.ticket);
    const recorded = recordAnswers(ctx, answers, batch.server.validatedIndex);
    slice.recording = Promise.all([slice.recording, recorded]).then(() => undefined);
    awaitedLater(slice.recording);
  });
  awaitedLater(slice.submitting);
  countSubmitted(slice, batch, attempts);
}

/**
 * The same for an account under custody. What has a ticket of its own is paid first; then tickets are asked for those that
 * would arrive and have none, and what takes their room for nothing is cancelled.
 */
async function payAssigned(ctx: Ctx, slice: Slice): Promise<boolean> {
  const { account } = slice;
  const tickets = await readAssignedTickets(ctx, account, slice.leaving);
  const { usable, requested } = tickets.payoutIds;
  const withTicket = sql`${payouts.id} = any (${textArray(usable)})`;
  const atOnce = Math.min(WITNESSED_BATCH, roomOf(slice));
  const paid = usable.length === 0 ? null : await selectBatch(ctx, slice, atOnce, withTicket);
  if (paid !== null && paid.due.length > 0) {
    const payer = await findPayerOf(ctx, slice, paid);
    if (payer === null) return paid.isFull;
    const payable = await checkBatch(ctx, slice, paid, payer);
    const pairs = payable.flatMap((payout) => {
      const assigned = tickets.usable.get(purposeIdOf(payout));
      return assigned === undefined ? [] : [{ payout, ticket: assigned.ticket }];
    });
    const signed = await signBatch(ctx, slice, paid, payer.signer, pairs);
    if (signed === null) return false;
    beginToSubmit(ctx, slice, paid, signed.attempts);
    await slice.submitting;
    return true;
  }
  // Behind one that fails is a gap, which the others have to outlive: no more than what is asked for at once.
  if (tickets.requested.size > 0) return false;
  const others = sql`not ${payouts.id} = any (${textArray([...usable, ...requested])})`;
  const most = Math.max(MAX_TICKETS - tickets.occupied, Math.min(BATCH, tickets.idle.length));
  const batch = await selectBatch(ctx, slice, most, others);
  if (batch === null) return false;
  const payer = await findPayerOf(ctx, slice, batch);
  if (payer === null) return batch.isFull;
  const payable = await checkBatch(ctx, slice, batch, payer);
  return (await requestTicketsFor(ctx, slice, batch, payer, payable, tickets)) && batch.isFull;
}

/** True when every payable payout has a ticket under way now. */
async function requestTicketsFor(
  ctx: Ctx,
  slice: Slice,
  { server }: Batch,
  { payer, signer }: Payer,
  payable: readonly Payout[],
  tickets: AssignedTickets,
): Promise<boolean> {
  const { account } = slice;
  const wanted = new Map<string, { purpose: Purpose; payoutId: string }>();
  for (const payout of payable) {
    const id = purposeIdOf(payout);
    const own = tickets.usable.get(id);
    // One that an assign has left unused sends the payment back by the next slice.
    if (own !== undefined) await assignTicketTo(ctx, account, own.ticket, payout.id);
    else if (!tickets.requested.has(id)) {
      wanted.set(id, { purpose: purposeOf(payout), payoutId: payout.id });
    }
  }
  const room = ticketRoom(tickets, payer, server);
  const missing = Math.max(0, wanted.size - room);
  // A ticket whose payout cannot be paid now gives its room to those that can.
  const idle = tickets.idle.slice(0, missing);
  // Signing takes its time: a sequence is only for the slice that still holds the lease.
  if (!(await renewSignerLease(ctx, slice))) return false;
  await cancelTickets(ctx, signer, server, idle.slice(0, MAX_CANCELLATIONS));
  const asked = [...wanted.values()].slice(0, room);
  const { waiting, refused } = await requestAssignedTickets(ctx, signer, server, asked, {
    keepLease: () => renewSignerLease(ctx, slice),
    deadlineMs: slice.deadlineMs,
  });
  const payoutOf = new Map(payable.map((payout) => [payout.id, payout]));
  const unsigned = {
    waiting: waiting.flatMap(({ payoutId }) => payoutOf.get(payoutId ?? '') ?? []),
    refused: refused.flatMap(({ payoutId, paidBy }) => {
      const payout = payoutOf.get(payoutId ?? '');
      return payout === undefined ? [] : [{ payout, paidBy }];
    }),
  };
  // Witnesses that have not signed what makes room leave it to the next ledger: then it is there.
  if (tickets.leaving > 0) unsigned.waiting = [];
  await postponeUnsigned(ctx, slice.account, unsigned, slice.counts);
  if (missing > 0 && !affordsTicket(payer, server)) {
    const without = [...wanted.values()].slice(room).flatMap(({ payoutId }) => payoutOf.get(payoutId) ?? []);
    await postponeAll(ctx.db, without, 'ready', 'payer_underfunded', slice.counts);
  }
  return asked.length > 0 && waiting.length === 0 && missing === 0;
}

/** Uses up the tickets that only keep reserve and room. */
async function cancelUseless(ctx: Ctx, slice: Slice): Promise<void> {
  const { account } = slice;
  const { useless } = await readAssignedTickets(ctx, account);
  if (useless.length === 0) return;
  const found = await findIdlePayer(ctx, account);
  if (found === null) return;
  const server = await ctx.ledger.serverState();
  if (!(await renewSignerLease(ctx, slice))) return;
  await cancelTickets(ctx, found.signer, server, useless.slice(0, MAX_CANCELLATIONS));
}

/**
 * While nothing is due: asks for the tickets of what the next ledger confirms, so that the one after it pays that. Behind what was
 * due it was asked for already.
 */
async function requestAhead(ctx: Ctx, slice: Slice): Promise<void> {
  const { account, coming } = slice;
  if (coming <= SPARE_TICKETS || slice.before !== null || slice.ticketsRequested) return;
  const { held, free } = await freeTickets(ctx, account);
  if (free.length >= coming) return;
  const found = await findIdlePayer(ctx, account);
  if (found === null) return;
  const server = await ctx.ledger.serverState();
  const wanted = Math.min(coming, MAX_IN_FLIGHT) + SPARE_TICKETS;
  const unpaid = await unpaidDrops(ctx.db, account);
  const asked = { wanted, held, free: free.length, leaving: 0, payable: 0, unpaidDrops: unpaid };
  const count = ticketsToRequest({ ...asked, payer: found.payer, server });
  if (count > 0 && (await renewSignerLease(ctx, slice))) await requestTickets(ctx, found.signer, server, count);
}

/** Who signs what is not a payment. Null where nothing may be signed: the account is halted, its key cannot sign, or the database is behind. */
async function findIdlePayer(ctx: Ctx, account: string): Promise<Payer | null> {
  if (await isHalted(ctx.db, account)) return null;
  const found = await findPayer(ctx, account);
  if (typeof found === 'string' || (await checkRestoreGuard(ctx, account)).kind === 'behind') return null;
  return found;
}

async function isHalted(db: Db, account: string): Promise<boolean> {
  const halted = and(eq(depositAccounts.address, account), eq(depositAccounts.halted, true));
  return (await db.$count(depositAccounts, halted)) > 0;
}

const raise = async (ctx: Ctx, alerts: readonly AlertEvent[]): Promise<void> =>
  void (await ctx.db.transaction((tx) => appendEvents(tx, [...alerts])));

/** Puts off what witnesses did not sign, with an alert a day. What they say is paid is settled by that payment. */
async function postponeUnsigned(
  ctx: Ctx,
  account: string,
  { waiting, refused }: { waiting: readonly Payout[]; refused: readonly RefusedPayout[] },
  counts: PayoutCounts,
): Promise<void> {
  if (waiting.length === 0 && refused.length === 0) return;
  const settled = await settlePaid(ctx, account, refused, counts);
  const left = refused.map(({ payout }) => payout).filter(({ id }) => !settled.has(id));
  await postponeAll(ctx.db, waiting, 'ready', 'waiting_witnesses', counts);
  await postponeAll(ctx.db, left, 'ready', 'witness_refused', counts);
  const nowMs = ctx.clock.nowMs();
  await raise(ctx, [
    ...(waiting.length === 0 ? [] : [unusableKey({ account, reason: 'waiting_witnesses' }, nowMs)]),
    ...(left.length === 0 ? [] : [unusableKey({ account, reason: 'witness_refused' }, nowMs)]),
  ]);
}

/**
 * The next due payouts of an account, at most `most` and as many as its hourly ceiling allows; what does not fit into
 * the hour is queued, and what is worth less than its fee postponed. Null when there is nothing to look at.
 */
async function selectBatch(
  ctx: Ctx,
  { account, allowance, signatures, counts }: Slice,
  most: number,
  among: SQL = sql`true`,
): Promise<Batch | null> {
  if (most <= 0) return null;
  const server = await ctx.ledger.serverState();
  const ledgerTime = new Date(server.validatedAtMs);
  if (allowance.payouts <= 0) {
    await queueForAllowance(ctx, account, { ledgerTime, allowance, which: 'all' }, counts);
    return null;
  }
  const limit = Math.min(most, allowance.payouts);
  // Where the others of this batch could use up what is kept for minor payouts, those go first.
  const minorFirst =
    allowance.payouts - limit < allowance.reservedForMinor ? Math.min(limit, allowance.reservedForMinor) : 0;
  const loaded = await loadDue(ctx.db, account, ledgerTime, limit, isMinor(allowance.frequent), minorFirst, among);
  if (loaded.length === 0) return null;
  const minor = loaded.filter((payout) => payout.isMinor).slice(0, Math.max(0, allowance.minorPayouts));
  const minorIds = new Set(minor.map(({ id }) => id));
  const admitted = loaded.filter((payout) => !payout.isMinor || minorIds.has(payout.id));
  const minorLeftOut = admitted.length < loaded.length;
  // Those that still fit are paid first: what is queued now would be queued with them.
  if (minorLeftOut && minorIds.size === 0) {
    await queueForAllowance(ctx, account, { ledgerTime, allowance, which: 'minor' }, counts);
  }
  // The floor (release/read-amounts.ts) has no more for a payment's fee than the payment is worth: dust must not use up others' XRP.
  const belowFee = admitted.filter(
    ({ asset, amount }) => asset.kind === 'xrp' && isFeeAbove(amount, server, signatures),
  );
  await postponeAll(ctx.db, belowFee, 'ready', 'fee_above_amount', counts);
  return {
    due: admitted.filter((payout) => !belowFee.includes(payout)),
    minorIds,
    minorFirst: minorFirst > 0,
    minorLeftOut,
    isFull: loaded.length === limit,
    server,
    ledgerTime,
  };
}

/** Who pays and signs. Null when there is nothing to pay, or nothing can be paid from the account: then all of it is postponed. */
async function findPayerOf(ctx: Ctx, { account, counts }: Slice, { due }: Batch): Promise<Payer | null> {
  const postpone = async (status: 'scheduled' | 'ready', reason: PayoutReason, alert: AlertEvent | null) => {
    await postponeAll(ctx.db, due, status, reason, counts);
    if (alert !== null) await ctx.db.transaction((tx) => appendEvents(tx, [alert]));
    return null;
  };
  if (due.length === 0) return null;
  const payer = await findPayer(ctx, account);
  if (payer === 'signing_key_missing') return postpone('scheduled', payer, null);
  if (typeof payer === 'string') {
    return postpone(
      'ready',
      payer,
      isUnusableKey(payer) ? unusableKey({ account, reason: payer }, ctx.clock.nowMs()) : null,
    );
  }
  const guard = await checkRestoreGuard(ctx, account);
  if (guard.kind !== 'behind') return payer;
  return postpone('ready', 'database_behind', databaseBehind(guard.unknown, ctx.clock.nowMs()));
}

/** Which payouts would arrive, in their order; the others are postponed with the reason. */
async function checkBatch(ctx: Ctx, slice: Slice, batch: Batch, payer: Payer): Promise<Payout[]> {
  const payable = await planPart(ctx, slice, await beginToRead(ctx, batch, payer, batch.due));
  noteMinorFirst(slice, batch, payable);
  return payable;
}

/** Begins to read what the ledger shows about some of a batch. */
function beginToRead(ctx: Ctx, { server }: Batch, { payer }: Payer, due: readonly Payout[]): Promise<CheckedPayout[]> {
  const checked = readFacts(ctx.ledger, payer, server, due);
  awaitedLater(checked);
  return checked;
}

/** Of what was read, the payouts that would arrive, in their order; the others are postponed with the reason. */
async function planPart(
  ctx: Ctx,
  { account, inFlight, counts }: Slice,
  checked: readonly CheckedPayout[],
): Promise<Payout[]> {
  const plan = await keepFloor(ctx, account, planPayouts(checked, inFlight));
  logFaults(ctx, plan);
  await postponePlanned(ctx.db, plan, counts);
  return plan.payable;
}

/** None of the minor payouts that went first can be paid: it is the others' turn. */
function noteMinorFirst({ allowance }: Slice, batch: Batch, payable: readonly Payout[]): void {
  if (batch.minorFirst && !payable.some(({ id }) => batch.minorIds.has(id))) allowance.reservedForMinor = 0;
}

/**
 * Postpones the releases of a plan that the deposit account cannot spare any more: what it owes is asked again before XRP
 * leaves for the treasury. A plan without a release costs nothing. What cannot be read postpones the releases, and keeps
 * no refund from being paid.
 */
export async function keepFloor(ctx: Ctx, account: string, plan: Plan): Promise<Plan> {
  const releases = plan.payable.filter(({ kind }) => kind === 'release');
  if (releases.length === 0) return plan;
  const kept: Plan = {
    payable: plan.payable.filter(({ kind }) => kind !== 'release'),
    postponed: [...plan.postponed],
  };
  let left: Drops;
  try {
    left = await readFree(ctx, account);
  } catch (fault) {
    const decision = { kind: 'later', reason: 'facts_unreadable' } as const;
    kept.postponed.push(...releases.map((payout) => ({ payout, decision, fault })));
    return kept;
  }
  for (const payout of releases) {
    if (payout.amount <= left) {
      left -= payout.amount;
      kept.payable.push(payout);
    } else kept.postponed.push({ payout, decision: { kind: 'later', reason: 'release_below_floor' } });
  }
  return kept;
}

const readFree = (ctx: Ctx, account: string): Promise<Drops> =>
  withBalance(ctx, account, async (onLedger, ledgerIndex) => {
    const commitments = await readAccountCommitments(ctx.db, account, onLedger.server);
    return commitments.ledgerIndex === ledgerIndex ? freeDrops(commitments, onLedger, whenPaid(commitments)) : null;
  });

/** Signs and persists what the hour's XRP allows. Null when none of it may be submitted by this slice. */
async function signBatch(
  ctx: Ctx,
  slice: Slice,
  { server, ledgerTime }: Batch,
  signer: Signer,
  pairs: readonly { payout: Payout; ticket: number }[],
): Promise<{ attempts: SignedAttempt[]; xrpIsUsedUp: boolean } | null> {
  const { account, allowance, counts } = slice;
  // Reading took its time: a slice that has lost the lease meanwhile must not sign.
  if (!(await renewSignerLease(ctx, slice))) return null;
  const { admitted, tooLarge, xrpIsUsedUp } = admit(pairs, allowance);
  const { persisted, unsignable, waiting, refused } = await signAttempts(ctx, signer, server, admitted);
  await postponeAll(ctx.db, unsignable, 'held', 'unsignable', counts);
  await postponeUnsigned(ctx, account, { waiting, refused }, counts);
  const above = tooLarge.map(({ payout }) => payout);
  await postponeAll(ctx.db, above, 'held', 'above_hourly_ceiling', counts);
  if (xrpIsUsedUp) await queueForAllowance(ctx, account, { ledgerTime, allowance, which: 'xrp' }, counts);
  // What was signed before it may have taken its time.
  await slice.submitting;
  if (persisted.length === 0) return { attempts: persisted, xrpIsUsedUp };
  // Recorded before it is submitted, with nothing in between. It is kept back when another database has paid since the last check,
  // or an operator has halted the account.
  const hashes = persisted.map(({ txHash }) => txHash);
  const [guard, halted] = await Promise.all([checkRestoreGuard(ctx, account), loadHalted(ctx.db, hashes)]);
  if (guard.kind === 'behind') {
    ctx.log.error(
      { account, payouts: persisted.length },
      'signed transactions are not submitted: the database is behind',
    );
    return null;
  }
  return { attempts: persisted.filter(({ txHash }) => !halted.has(txHash)), xrpIsUsedUp };
}

function countSubmitted(slice: Slice, { minorIds }: Batch, attempts: readonly SignedAttempt[]): void {
  const submitted = attempts.map(({ payout }) => payout);
  slice.counts.submitted += submitted.length;
  slice.inFlight.push(...submitted);
  spend(slice.allowance, submitted, submitted.filter(({ id }) => minorIds.has(id)).length);
}

/**
 * Requests tickets for the payable payouts that had none, for those behind the batch and for what the next ledger confirms, in the
 * ledger that uses up those of the batch: once that is submitted. Where the account cannot afford one more, those without a ticket
 * wait. False when another slice has taken the lease meanwhile.
 */
async function requestMoreTickets(
  ctx: Ctx,
  slice: Slice,
  { server, ledgerTime }: Batch,
  signer: Signer,
  { payer, ticketsHeld: held }: LedgerBefore,
  {
    payable,
    withoutTicket,
    hasMore,
  }: { payable: readonly Payout[]; withoutTicket: readonly Payout[]; hasMore: boolean },
): Promise<boolean> {
  const { account, counts } = slice;
  const mayRequest = payable.length > 0 && !slice.ticketsRequested;
  const [behind, unpaid] = await Promise.all([
    // With more behind it, tickets for all that may be under way at once are asked for in one ledger.
    hasMore && mayRequest ? countDue(ctx.db, account, ledgerTime, MAX_IN_FLIGHT) : withoutTicket.length,
    mayRequest ? unpaidDrops(ctx.db, account) : 0n,
    slice.submitting,
  ]);
  const count = mayRequest
    ? ticketsToRequest({
        wanted: Math.min(behind + slice.coming, MAX_IN_FLIGHT) + SPARE_TICKETS,
        held,
        free: slice.freeTickets.length,
        leaving: slice.leaving.size,
        payable: payable.length,
        unpaidDrops: unpaid,
        payer,
        server,
      })
    : 0;
  if (count > 0) {
    // Submitting took its time too: a sequence is only for the slice that still holds the lease.
    if (!(await renewSignerLease(ctx, slice))) return false;
    await requestTickets(ctx, signer, server, count);
    slice.ticketsRequested = true;
  } else if (withoutTicket.length > 0 && !affordsTicket(payer, server)) {
    await postponeAll(ctx.db, withoutTicket, 'ready', 'payer_underfunded', counts);
  }
  return true;
}

const renewSignerLease = (ctx: Ctx, { lease }: Slice): Promise<boolean> =>
  renewLease(ctx.db, lease.name, lease.holder, SIGNER_LEASE_SECONDS);
