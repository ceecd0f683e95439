import { ticketCreate } from '@tranche/rules/transactions.ts';
import { and, asc, eq, inArray, ne, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import { payoutAttempts, ticketRequests } from '#drizzle/schema/payouts.ts';
import { actions } from '#drizzle/schema/sale.ts';
import type { Db, Tx } from '#lib/base/db.ts';
import { type Drops, minBigInt } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import { appendEvents } from '#lib/events/append.ts';
import { nextSequence } from '#lib/next-sequence.ts';
import { transactionFee } from '#lib/xrpl/server-state.ts';
import { type Signer, signOne } from '#lib/xrpl/signer.ts';
import { provesAbsence } from '#lib/xrpl/transactions.ts';
import type { AccountState, LookUp, ServerState, TicketUse } from '#lib/xrpl/types.ts';
import { isSubmittable, lookUpSubmitted, paysExactly } from './attempts.ts';
import { spendableDrops } from './check.ts';
import { ticketDisputed } from './events.ts';
import { MIN_TICKET_REQUEST, type OpenAttempt, type TicketStatus } from './types.ts';

/** The ledger's own limit for one account (docs/ledger-facts.md, 16). */
export const MAX_TICKETS = 250;

/** How many more objects the account can pay the reserve of. */
export const affordableObjects = (payer: AccountState, server: ServerState): bigint =>
  server.reserveIncrementDrops === 0n
    ? BigInt(MAX_TICKETS)
    : spendableDrops(payer, server) / server.reserveIncrementDrops;

export const affordsTicket = (payer: AccountState, server: ServerState): boolean =>
  affordableObjects(payer, server) > 0n;

/**
 * How many tickets to ask for, so that `wanted` payouts have one each; 0 when there are enough, or no XRP for their reserve.
 * Tickets that submitted payments use up give room and reserve back in the ledger that creates the new ones: within a ledger
 * a TicketCreate that goes beyond the limit is tried again behind them (docs/ledger-facts.md, 35).
 */
export function ticketsToRequest(input: {
  wanted: number;
  /** Held by `payer` and used by nothing of ours. */
  free: number;
  held: number;
  /** Held by `payer` and used up by payments that a server has applied to its open ledger. */
  leaving: number;
  /** Payable now: so many tickets are used up at once, and give their reserve back. */
  payable: number;
  /** XRP that the account has still to pay: no spare ticket may use it up as reserve. */
  unpaidDrops: Drops;
  payer: AccountState;
  server: ServerState;
}): number {
  const { wanted, free, held, leaving, payable, unpaidDrops, server } = input;
  if (free >= wanted) return 0;
  const payer = { ...input.payer, ownerCount: Math.max(0, input.payer.ownerCount - leaving) };
  const affordable = affordableObjects(payer, server);
  const affordableBesides = affordableObjects({ ...payer, balanceDrops: payer.balanceDrops - unpaidDrops }, server);
  const atOnce = minBigInt(affordable, BigInt(Math.min(payable, MIN_TICKET_REQUEST)));
  const within = affordableBesides > atOnce ? affordableBesides : atOnce;
  const room = BigInt(Math.max(0, MAX_TICKETS - held + leaving));
  const count = BigInt(Math.max(wanted - free, MIN_TICKET_REQUEST));
  return Number([within, room].reduce(minBigInt, count));
}

/**
 * Of these tickets, those that a transaction of ours has used or may still use: an attempt, a cancellation, which stands
 * among the requests with its ticket as sequence, or an action. A server that is a ledger behind may still list them.
 */
export async function takenTickets(db: Db, account: string, held: readonly number[]): Promise<ReadonlySet<number>> {
  const tickets = [...held];
  const byAttempt = db
    .select({ ticket: payoutAttempts.ticket })
    .from(payoutAttempts)
    .where(
      and(
        eq(payoutAttempts.account, account),
        ne(payoutAttempts.status, 'expired'),
        inArray(payoutAttempts.ticket, tickets),
      ),
    );
  const byCancellation = db
    .select({ ticket: ticketRequests.sequence })
    .from(ticketRequests)
    .where(
      and(
        eq(ticketRequests.account, account),
        eq(ticketRequests.count, 0),
        ne(ticketRequests.status, 'expired'),
        inArray(ticketRequests.sequence, tickets),
      ),
    );
  const byAction = db
    .select({ ticket: sql<number>`${actions.sequence}` })
    .from(actions)
    .where(and(eq(actions.account, account), ne(actions.status, 'expired'), inArray(actions.sequence, tickets)));
  const taken = await unionAll(byAttempt, byCancellation, byAction);
  return new Set(taken.map(({ ticket }) => Number(ticket)));
}

/** Tickets of the account that nothing of ours has used or may still use, ascending. */
export async function freeTickets(ctx: Ctx, account: string): Promise<{ held: number; free: number[] }> {
  const held = await ctx.ledger.tickets(account);
  const taken = await takenTickets(ctx.db, account, held);
  return { held: held.length, free: held.filter((ticket) => !taken.has(ticket)) };
}

interface SettledRequests {
  /** One is open. */
  isOpen: boolean;
  /** The newest ledger that has decided any of those that were open; 0 where none has. */
  decidedIn: number;
}

/** Settles the account's open TicketCreates and cancellations of tickets, or submits them again, once a validated ledger. */
export async function settleTicketRequests(ctx: Ctx, account: string): Promise<SettledRequests> {
  const requests = await ctx.db
    .select()
    .from(ticketRequests)
    .where(and(eq(ticketRequests.account, account), eq(ticketRequests.status, 'open')))
    .orderBy(asc(ticketRequests.sequence));
  const lookUps = await lookUpSubmitted(ctx, account, requests);
  let isOpen = false;
  let decidedIn = 0;
  for (const [index, request] of requests.entries()) {
    const lookUp = lookUps[index];
    if (lookUp === undefined || (await settleRequest(ctx, request, lookUp))) isOpen = true;
    if (lookUp?.state === 'validated') decidedIn = Math.max(decidedIn, lookUp.ledgerIndex);
  }
  return { isOpen, decidedIn };
}

/** True while it is open. */
async function settleRequest(ctx: Ctx, request: typeof ticketRequests.$inferSelect, lookUp: LookUp): Promise<boolean> {
  const finish = async (status: 'validated' | 'failed' | 'expired'): Promise<false> => {
    await ctx.db
      .update(ticketRequests)
      .set({ status })
      .where(and(eq(ticketRequests.txHash, request.txHash), eq(ticketRequests.status, 'open')));
    return false;
  };
  if (lookUp.state === 'validated') return finish(lookUp.result === 'tesSUCCESS' ? 'validated' : 'failed');
  if (provesAbsence(lookUp.history, request.firstLedger, request.lastLedgerSequence)) return finish('expired');
  const { validatedIndex } = lookUp.history;
  if (isSubmittable(request, validatedIndex)) await submitRequest(ctx, request, validatedIndex);
  return true;
}

/** Asks for `count` tickets: signed, persisted, then submitted. They can be used once the ledger shows them. */
export async function requestTickets(ctx: Ctx, signer: Signer, server: ServerState, count: number): Promise<void> {
  const sequence = await nextSequence(ctx, signer.address);
  const lastLedgerSequence = server.validatedIndex + signer.ledgersToLive;
  const limits = { feeDrops: transactionFee(server, signer.signatures), sequence, lastLedgerSequence };
  const { hash, blob } = await signOne(signer, {
    transaction: ticketCreate(signer.address, count, limits),
    candidate: null,
  });
  const request = {
    txHash: hash,
    account: signer.address,
    txBlob: blob,
    count,
    sequence,
    firstLedger: server.validatedIndex,
    lastLedgerSequence,
  };
  if (await persistRequest(ctx.db, request)) await submitRequest(ctx, request, server.validatedIndex);
}

/** Before it is submitted. False when another one has the sequence. */
export async function persistRequest(db: Db | Tx, request: typeof ticketRequests.$inferInsert): Promise<boolean> {
  const inserted = await db
    .insert(ticketRequests)
    .values(request)
    .onConflictDoNothing()
    .returning({ txHash: ticketRequests.txHash });
  return inserted.length > 0;
}

export async function submitRequest(
  ctx: Ctx,
  { txHash, txBlob }: { txHash: string; txBlob: string },
  validatedLedger: number,
): Promise<void> {
  try {
    const { engineResult } = await ctx.ledger.submit(txBlob);
    ctx.log.info({ transaction_hash: txHash, engine_result: engineResult }, 'tickets requested');
    await ctx.db
      .update(ticketRequests)
      .set({ submittedLedger: validatedLedger })
      .where(eq(ticketRequests.txHash, txHash));
  } catch (cause) {
    ctx.log.warn({ err: cause, transaction_hash: txHash }, 'ticket request not submitted yet');
  }
}

/** A ticket may have been used before its attempt was signed: the server that listed it may have been so far behind. */
const MAX_LAG_LEDGERS = 256;

const UNKNOWN: TicketStatus = { kind: 'unknown' };

/**
 * The tickets of attempts that are past their last ledger and were found nowhere: still unused in one validated ledger not
 * before their LastLedgerSequence, or used up by another transaction, which no server contradicts. Asks nothing when there
 * is no such attempt.
 */
export async function readTicketStatuses(
  ctx: Ctx,
  account: string,
  overdue: readonly OpenAttempt[],
): Promise<(attempt: OpenAttempt) => TicketStatus> {
  const shown = overdue.length === 0 ? null : await ctx.ledger.ticketsAt(account);
  if (shown === null) return () => UNKNOWN;
  const unused = new Set(shown.tickets);
  const covered = overdue.filter(({ lastLedgerSequence }) => shown.ledgerIndex >= lastLedgerSequence);
  const gone = covered.filter(({ ticket }) => !unused.has(ticket));
  const usesOf = Map.groupBy(await readUses(ctx, account, gone), (use) => use.ticket);
  const statuses = new Map<OpenAttempt, TicketStatus>();
  for (const attempt of covered) {
    const uses = usesOf.get(attempt.ticket) ?? [];
    statuses.set(attempt, unused.has(attempt.ticket) ? { kind: 'unused' } : await statusFromUses(ctx, attempt, uses));
  }
  return (attempt) => statuses.get(attempt) ?? UNKNOWN;
}

/** An answer that cannot be read leaves the attempt open, and keeps no other attempt from being settled. */
async function readUses(ctx: Ctx, account: string, gone: readonly OpenAttempt[]): Promise<TicketUse[]> {
  if (gone.length === 0) return [];
  const tickets = gone.map(({ ticket, firstLedger, lastLedgerSequence }) => ({
    ticket,
    fromLedger: Math.max(1, firstLedger - MAX_LAG_LEDGERS),
    throughLedger: lastLedgerSequence,
  }));
  try {
    return await ctx.ledger.ticketUses({ account, tickets });
  } catch (err) {
    ctx.log.warn({ err, account }, 'could not read which transactions used tickets of this account');
    return [];
  }
}

/** A ticket is used once: a server that names another transaction, or the attempt's own, contradicts a use from outside. */
async function statusFromUses(ctx: Ctx, attempt: OpenAttempt, uses: readonly TicketUse[]): Promise<TicketStatus> {
  const [use] = uses;
  if (use === undefined) return UNKNOWN;
  const { txHash, ticket, payout } = attempt;
  const usedBy = [...new Set(uses.map(({ hash }) => hash))];
  if (usedBy.length === 1 && use.hash !== txHash) {
    const { payment } = use;
    return attempt.isAssigned && payment !== null && paysExactly(payout, payment)
      ? { kind: 'paid_by_other', use, closedAtMs: payment.closedAtMs }
      : { kind: 'used_outside', use };
  }
  ctx.log.error(
    { payout_id: payout.id, transaction_hash: txHash, ticket, used_by: usedBy },
    'ledger servers contradict each other about the ticket of a payout: it stays open',
  );
  if (usedBy.length > 1) {
    const ledgerIndex = Math.min(...uses.map((each) => each.ledgerIndex));
    const alert = ticketDisputed({ account: payout.account, ticket, ledgerIndex, usedBy }, ctx.clock.nowMs());
    await ctx.db.transaction((tx) => appendEvents(tx, [alert]));
  }
  return UNKNOWN;
}
