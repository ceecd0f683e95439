import { type Custody, isQuorum } from '@tranche/rules/custody.ts';
import { and, eq, gt, inArray, lt, max, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import { payoutAttempts, payouts, ticketAssignments, ticketRequests } from '#drizzle/schema/payouts.ts';
import { accountCustody } from '#lib/account-custody.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { FeedEntry, OtherEntry } from '#lib/xrpl/types.ts';
import { paysExactly, type RefusedPayout } from './attempts.ts';
import { loadStored, PAYABLE_STATUSES } from './load.ts';
import { purposeIdOf } from './purposes.ts';
import { takenTickets } from './tickets.ts';

const ENTRIES_A_PAGE = 200;
/** Of one search; a later slice goes on, because what was found is known then. */
const MAX_PAGES = 50;
const MOST_PAYOUTS = 10_000;

/** A ticket whose creation or use the records lack, and a ledger before both. */
interface Lost {
  ticket: number;
  afterLedger: number;
}

/** A transaction of the account that used a ticket. */
interface Use {
  ticket: number;
  hash: string;
  /** What it paid; null when it paid nothing. */
  sent: NonNullable<OtherEntry['sent']> | null;
}

/**
 * Makes good what a restored database has lost of an account under custody: what its tickets were created for, as the memos
 * of its TicketCreates say, and payments with such tickets. Gives payouts that a payment may have paid, to be settled by it.
 * Reads nothing but the account's tickets while there is no sign of a loss: a ticket that the ledger shows and the records do
 * not know, or one for an unpaid payout that is used up without an attempt.
 */
export async function findLost(ctx: Ctx, account: string): Promise<RefusedPayout[]> {
  const custody = await accountCustody(ctx.db, account);
  const held = await ctx.ledger.tickets(account);
  const used = await findUsedUp(ctx, account, new Set(held));
  const unknown = await findUnknown(ctx, account, held);
  if (custody === null || used.length + unknown.length === 0) return [];
  const lost = [...used, ...(await Promise.all(unknown.map((ticket) => beforeTicket(ctx, account, ticket, custody))))];
  return search(ctx, account, custody, lost);
}

/** Reads from the ledger what a ticket was created for, where the records do not know it. */
export async function learnPurpose(ctx: Ctx, account: string, ticket: number): Promise<void> {
  // What a TicketCreate that failed was to create says nothing: another one may have the number.
  const created = ctx.db
    .select({ txHash: ticketRequests.txHash })
    .from(ticketRequests)
    .where(eq(ticketRequests.status, 'validated'));
  const known = and(
    eq(ticketAssignments.account, account),
    eq(ticketAssignments.ticket, ticket),
    inArray(ticketAssignments.requestHash, created),
  );
  const custody = await accountCustody(ctx.db, account);
  if (custody === null || (await ctx.db.$count(ticketAssignments, known)) > 0) return;
  await search(ctx, account, custody, [await beforeTicket(ctx, account, ticket, custody)]);
}

/** Tickets for unpaid payouts that are on the ledger no more, though nothing of ours has used them. */
async function findUsedUp(ctx: Ctx, account: string, held: ReadonlySet<number>): Promise<Lost[]> {
  const rows = await ctx.db
    .select({ ticket: ticketAssignments.ticket, afterLedger: ticketRequests.firstLedger })
    .from(ticketAssignments)
    .innerJoin(ticketRequests, eq(ticketRequests.txHash, ticketAssignments.requestHash))
    .innerJoin(payouts, eq(payouts.id, ticketAssignments.payoutId))
    .where(
      and(
        eq(ticketAssignments.account, account),
        eq(ticketRequests.status, 'validated'),
        inArray(payouts.status, [...PAYABLE_STATUSES]),
      ),
    );
  const gone = rows.filter(({ ticket }) => !held.has(ticket));
  if (gone.length === 0) return [];
  const taken = await takenTickets(
    ctx.db,
    account,
    gone.map(({ ticket }) => ticket),
  );
  return gone.filter(({ ticket }) => !taken.has(ticket));
}

async function findUnknown(ctx: Ctx, account: string, held: readonly number[]): Promise<number[]> {
  if (held.length === 0) return [];
  const rows = await ctx.db
    .select({ ticket: ticketAssignments.ticket })
    .from(ticketAssignments)
    .where(and(eq(ticketAssignments.account, account), inArray(ticketAssignments.ticket, [...held])));
  const known = new Set(rows.map(({ ticket }) => ticket));
  const taken = await takenTickets(ctx.db, account, held);
  return held.filter((ticket) => !known.has(ticket) && !taken.has(ticket));
}

/** Numbers of tickets rise: those of an earlier TicketCreate that is known were created before. */
async function beforeTicket(ctx: Ctx, account: string, ticket: number, custody: Custody): Promise<Lost> {
  const [before] = await ctx.db
    .select({ ledger: max(ticketRequests.firstLedger) })
    .from(ticketRequests)
    .where(
      and(
        eq(ticketRequests.account, account),
        eq(ticketRequests.status, 'validated'),
        gt(ticketRequests.count, 0),
        lt(sql`${ticketRequests.sequence} + ${ticketRequests.count}`, ticket),
      ),
    );
  return { ticket, afterLedger: before?.ledger ?? custody.from_ledger };
}

/** Reads the account's history from the earliest of these on, and writes down what it shows of tickets. */
async function search(ctx: Ctx, account: string, custody: Custody, lost: readonly Lost[]): Promise<RefusedPayout[]> {
  const { validatedIndex: throughLedger } = await ctx.ledger.serverState();
  const uses: Use[] = [];
  let afterLedger = Math.min(...lost.map((each) => each.afterLedger));
  ctx.log.warn({ account, ledger_index: afterLedger }, 'reading from the ledger what the records lack of tickets');
  try {
    for (let page = 0; page < MAX_PAGES && afterLedger < throughLedger; page++) {
      const request = { account, afterLedger, afterHash: null, throughLedger, maxEntries: ENTRIES_A_PAGE };
      const { entries, readThrough } = await ctx.ledger.readFeed(request);
      for (const entry of entries) {
        await recordCreation(ctx, account, custody, entry);
        const use = readUse(entry);
        if (use !== null) uses.push(use);
      }
      if (readThrough <= afterLedger) break;
      afterLedger = readThrough;
    }
  } catch (err) {
    // What is found is a fact; that the rest cannot be read keeps nothing else from being paid.
    ctx.log.warn({ err, account }, 'the account’s history could not be read to its end');
  }
  const paid = await payoutsPaidBy(ctx, account, await withoutKnown(ctx, uses));
  const mayPay = new Set(paid.flatMap(({ paidBy }) => paidBy));
  const sought = new Set(lost.map(({ ticket }) => ticket));
  const usedOtherwise = uses.filter(({ ticket, hash }) => sought.has(ticket) && !mayPay.has(hash));
  await forget(
    ctx,
    account,
    usedOtherwise.map(({ ticket }) => ticket),
  );
  return paid;
}

const readUse = (entry: FeedEntry): Use | null =>
  entry.kind === 'payment' || entry.own === undefined || entry.own.ticket === null
    ? null
    : { ticket: entry.own.ticket, hash: entry.hash, sent: entry.kind === 'other' ? (entry.sent ?? null) : null };

/** Without the payments that an attempt has made, or that have settled a payout. */
async function withoutKnown(ctx: Ctx, uses: readonly Use[]): Promise<Use[]> {
  const hashes = uses.map(({ hash }) => hash);
  if (hashes.length === 0) return [];
  const known = await unionAll(
    ctx.db.select({ hash: payoutAttempts.txHash }).from(payoutAttempts).where(inArray(payoutAttempts.txHash, hashes)),
    ctx.db
      .select({ hash: sql<string>`${payouts.txHash}` })
      .from(payouts)
      .where(and(eq(payouts.status, 'validated'), inArray(payouts.txHash, hashes))),
  );
  const ours = new Set(known.map(({ hash }) => hash));
  return uses.filter(({ hash }) => !ours.has(hash));
}

/** Tickets that were used up for something else pay their payout no more: they are looked for no more. */
async function forget(ctx: Ctx, account: string, tickets: readonly number[]): Promise<void> {
  if (tickets.length === 0) return;
  await ctx.db
    .update(ticketAssignments)
    .set({ payoutId: null })
    .where(and(eq(ticketAssignments.account, account), inArray(ticketAssignments.ticket, [...tickets])));
}

/** As witnesses read it: signed by a quorum, with one purpose for each ticket. */
async function recordCreation(ctx: Ctx, account: string, custody: Custody, entry: FeedEntry): Promise<void> {
  if (entry.kind === 'payment' || entry.own === undefined) return;
  const { assigned, ticketsCreated, signers } = entry.own;
  const [first] = ticketsCreated;
  if (first === undefined || assigned.length !== ticketsCreated.length || !isQuorum(custody, signers)) return;
  await ctx.db.transaction(async (tx) => {
    const inserted = await tx
      .insert(ticketRequests)
      .values({
        txHash: entry.hash,
        account,
        txBlob: '',
        count: assigned.length,
        sequence: first - 1,
        firstLedger: entry.ledgerIndex - 1,
        lastLedgerSequence: entry.ledgerIndex,
        status: 'validated',
      })
      .onConflictDoNothing()
      .returning({ txHash: ticketRequests.txHash });
    if (inserted.length === 0) return;
    // The payout with this purpose takes the ticket once it is due (assignTicketTo).
    await tx.insert(ticketAssignments).values(
      ticketsCreated.map((ticket, index) => ({
        account,
        ticket,
        purpose: assigned[index] ?? '',
        requestHash: entry.hash,
      })),
    );
  });
}

/** Unpaid payouts that a payment has paid to the last digit, with a ticket that was created for their purpose. */
async function payoutsPaidBy(ctx: Ctx, account: string, uses: readonly Use[]): Promise<RefusedPayout[]> {
  const paying = uses.flatMap(({ sent, ...use }) => (sent === null ? [] : [{ ...use, sent }]));
  if (paying.length === 0) return [];
  const rows = await ctx.db
    .select({ ticket: ticketAssignments.ticket, purpose: ticketAssignments.purpose })
    .from(ticketAssignments)
    .innerJoin(ticketRequests, eq(ticketRequests.txHash, ticketAssignments.requestHash))
    .where(
      and(
        eq(ticketAssignments.account, account),
        eq(ticketRequests.status, 'validated'),
        inArray(
          ticketAssignments.ticket,
          paying.map(({ ticket }) => ticket),
        ),
      ),
    );
  const purposeOfTicket = new Map(rows.map(({ ticket, purpose }) => [ticket, purpose]));
  const byPurpose = Map.groupBy(paying, ({ ticket }) => purposeOfTicket.get(ticket));
  const destinations = [...new Set(paying.map(({ sent }) => sent.destination))];
  const unpaid = await loadStored(
    ctx.db,
    and(
      eq(payouts.account, account),
      inArray(payouts.destination, destinations),
      inArray(payouts.status, [...PAYABLE_STATUSES]),
    ),
    [],
    MOST_PAYOUTS,
  );
  return unpaid.flatMap(({ payout }) => {
    const own = (byPurpose.get(purposeIdOf(payout)) ?? []).filter(({ sent }) => paysExactly(payout, sent));
    return own.length === 0 ? [] : [{ payout, paidBy: own.map(({ hash }) => hash) }];
  });
}
