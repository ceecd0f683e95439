import { isReleaseId, MAX_ASSIGNED, type Purpose, purposeId } from '@tranche/rules/custody.ts';
import { cancelTicket, ticketCreate } from '@tranche/rules/transactions.ts';
import { writePurpose } from '@tranche/witness/protocol.ts';
import { and, eq, inArray, or, sql, TransactionRollbackError } from 'drizzle-orm';
import { payouts, ticketAssignments, ticketRequests } from '#drizzle/schema/payouts.ts';
import type { Ctx } from '#lib/ctx.ts';
import { nextSequence } from '#lib/next-sequence.ts';
import { transactionFee } from '#lib/xrpl/server-state.ts';
import type { Signer, SignOutcome } from '#lib/xrpl/signer.ts';
import type { AccountState, ServerState } from '#lib/xrpl/types.ts';
import { limitsOf } from './purposes.ts';
import { affordableObjects, MAX_TICKETS, persistRequest, submitRequest, takenTickets } from './tickets.ts';

/** A ticket that was created for one purpose. */
interface AssignedTicket {
  ticket: number;
  purpose: string;
  payoutId: string | null;
}

export interface AssignedTickets {
  /** Tickets on the ledger, but those that leave it, and those that are under way. */
  occupied: number;
  /** Tickets on the ledger that payments use up in the one that is open now. */
  leaving: number;
  /** For each purpose the ticket to use: the lowest that is unused, unless something of ours may still use it. */
  usable: Map<string, AssignedTicket>;
  /** Purposes for which a ticket is being created. */
  requested: ReadonlySet<string>;
  /** Payouts with a ticket of either kind. */
  payoutIds: { usable: string[]; requested: string[] };
  /** Usable ones whose payout is not to be paid now: they may give their room to others. */
  idle: number[];
  /**
   * Tickets that only keep reserve and room: nobody knows what for, their payout is paid or on hold, or its turn has not
   * come while others wait for it.
   */
  useless: number[];
}

/**
 * Tickets of an account under custody by what they were created for, as the newest validated ledger and our own requests
 * show them. With a lower ticket for the same purpose still open, a higher one is not to be used (docs/custody.md). `leaving`
 * are tickets of payments that a server has applied to its open ledger.
 */
export async function readAssignedTickets(
  ctx: Ctx,
  account: string,
  leaving: ReadonlySet<number> = new Set(),
): Promise<AssignedTickets> {
  const held = await ctx.ledger.tickets(account);
  const taken = await takenTickets(ctx.db, account, held);
  const rows = await ctx.db
    .select({
      ticket: ticketAssignments.ticket,
      purpose: ticketAssignments.purpose,
      payoutId: ticketAssignments.payoutId,
      request: ticketRequests.status,
      payout: payouts.status,
      isDue: sql<boolean>`coalesce(${payouts.nextCheckAt} <= now(), false)`,
      isOld: sql<boolean>`${ticketAssignments.createdAt} < now() - ${ASSIGN_MINUTES} * interval '1 minute'`,
    })
    .from(ticketAssignments)
    .innerJoin(ticketRequests, eq(ticketRequests.txHash, ticketAssignments.requestHash))
    .leftJoin(payouts, eq(payouts.id, ticketAssignments.payoutId))
    .where(
      and(
        eq(ticketAssignments.account, account),
        or(
          eq(ticketRequests.status, 'open'),
          and(eq(ticketRequests.status, 'validated'), inArray(ticketAssignments.ticket, held)),
        ),
      ),
    )
    .orderBy(ticketAssignments.ticket);
  // Numbers of a TicketCreate that may never be validated say nothing: another one may have them.
  const created = rows.filter(({ request }) => request === 'validated');
  const underWay = rows.filter(({ request }) => request === 'open');
  const lowest = new Map<string, (typeof created)[number]>();
  for (const row of created) if (!lowest.has(row.purpose)) lowest.set(row.purpose, row);
  const usable = new Map([...lowest].filter(([, { ticket }]) => !taken.has(ticket)));
  const known = new Map(created.map((row) => [row.ticket, row]));
  // Releases of an account take turns: one that is not paid now keeps all others waiting.
  const firstRelease = created.find(({ purpose, ticket }) => isReleaseId(purpose) && !taken.has(ticket))?.ticket;
  const isUseless = (ticket: number): boolean => {
    const row = known.get(ticket);
    if (row === undefined || (row.payout !== null && ENDED.has(row.payout))) return true;
    if (row.payout === null) return row.isOld;
    return ticket === firstRelease && row.payout !== 'submitted' && !row.isDue;
  };
  const arriving = new Set(underWay.map(({ ticket }) => ticket));
  const idsOf = (given: Iterable<AssignedTicket>) => [...given].flatMap(({ payoutId }) => payoutId ?? []);
  return {
    occupied: new Set([...held.filter((ticket) => !leaving.has(ticket)), ...underWay.map(({ ticket }) => ticket)]).size,
    leaving: held.filter((ticket) => leaving.has(ticket)).length,
    usable,
    requested: new Set(underWay.map(({ purpose }) => purpose)),
    payoutIds: { usable: idsOf(usable.values()), requested: idsOf(underWay) },
    idle: [...usable.values()].filter(({ isDue }) => !isDue).map(({ ticket }) => ticket),
    useless: held.filter((ticket) => !taken.has(ticket) && !arriving.has(ticket) && isUseless(ticket)),
  };
}

/** What is not paid, or not before a person decides. */
const ENDED: ReadonlySet<string> = new Set(['validated', 'cancelled', 'held']);
/** An assign uses its ticket within seconds; who asks again later gets another. */
const ASSIGN_MINUTES = 10;

/** Gives a payout the ticket that was created for its purpose. */
export async function assignTicketTo(ctx: Ctx, account: string, ticket: number, payoutId: string): Promise<void> {
  await ctx.db
    .update(ticketAssignments)
    .set({ payoutId })
    .where(and(eq(ticketAssignments.account, account), eq(ticketAssignments.ticket, ticket)));
}

/**
 * How many more tickets the account may have, and can pay the reserve of. Those that leave give room and reserve to new ones in
 * the same ledger (docs/ledger-facts.md, 35).
 */
export function ticketRoom({ occupied, leaving }: AssignedTickets, payer: AccountState, server: ServerState): number {
  const affordable = affordableObjects({ ...payer, ownerCount: Math.max(0, payer.ownerCount - leaving) }, server);
  return Math.max(0, Math.min(MAX_TICKETS - occupied, Number(affordable)));
}

interface Wanted {
  purpose: Purpose;
  /** Null for an action. */
  payoutId: string | null;
}

/** What no ticket was asked for, because too few witnesses answered or because they refuse it. */
interface Requested {
  waiting: Wanted[];
  refused: (Wanted & { paidBy: readonly string[] })[];
}

/** Witnesses are asked no more often at once: the rest has its turn with the next ledger. */
const MAX_ROUNDS = 10;

/**
 * Asks for one ticket for each purpose: signed, persisted with what each is for, then submitted. The numbers follow the
 * sequence (docs/ledger-facts.md, 16), also those of a TicketCreate behind another: each takes its own sequence and one for
 * each ticket. Where one of them fails, those behind it are never validated, and expire. One purpose that is refused must
 * not keep the others waiting: its part is halved until the rest is signed, or until `deadlineMs` (of ctx.clock). The caller
 * holds the signer's lease; `keepLease` renews it and is false when it is lost.
 */
export async function requestAssignedTickets(
  ctx: Ctx,
  signer: Signer,
  server: ServerState,
  wanted: readonly Wanted[],
  { keepLease, deadlineMs }: { keepLease: () => Promise<boolean>; deadlineMs: number },
): Promise<Requested> {
  const requested: Requested = { waiting: [], refused: [] };
  let parts: (readonly Wanted[])[] = Array.from({ length: Math.ceil(wanted.length / MAX_ASSIGNED) }, (_, index) =>
    wanted.slice(index * MAX_ASSIGNED, (index + 1) * MAX_ASSIGNED),
  );
  for (let round = 0; round < MAX_ROUNDS && parts.length > 0; round++) {
    // Halved once at least, so that each slice gets further.
    if (round > 1 && ctx.clock.nowMs() >= deadlineMs) break;
    // Cancelling and signing take their time: a sequence is only for the slice that still holds the lease.
    if (!(await keepLease())) break;
    const { requests, outcomes } = await signParts(ctx, signer, server, parts);
    // Behind one that is not signed is a gap.
    if (!(await persistAndSubmit(ctx, requests, server.validatedIndex))) break;
    const behindGap: (readonly Wanted[])[] = [];
    const halves: (readonly Wanted[])[] = [];
    for (const [index, part] of parts.entries()) {
      if (index < requests.length) continue;
      const outcome = outcomes[index];
      if (outcome === undefined || outcome.kind === 'signed') behindGap.push(part);
      else if (part.length > 1 && 'mayDivide' in outcome && outcome.mayDivide) {
        const middle = Math.ceil(part.length / 2);
        halves.push(part.slice(0, middle), part.slice(middle));
      } else if (outcome.kind === 'refused') {
        requested.refused.push(...part.map((one) => ({ ...one, paidBy: outcome.paidBy })));
      } else requested.waiting.push(...part);
    }
    // What witnesses sign goes in front.
    parts = [...behindGap, ...halves];
  }
  return requested;
}

/** A signed TicketCreate, and what its tickets are for. */
interface SignedCreate {
  request: typeof ticketRequests.$inferInsert;
  part: readonly Wanted[];
}

/** Signs a TicketCreate for each part, one behind the other. Gives those that are signed without a gap, and every outcome. */
async function signParts(
  ctx: Ctx,
  signer: Signer,
  server: ServerState,
  parts: readonly (readonly Wanted[])[],
): Promise<{ requests: SignedCreate[]; outcomes: SignOutcome[] }> {
  const limits = limitsFor(signer, server);
  let next = await nextSequence(ctx, signer.address);
  const asked = parts.map((part) => {
    const sequence = next;
    next += 1 + part.length;
    return { part, sequence };
  });
  const outcomes = await signer.sign(
    asked.map(({ part, sequence }) => ({
      transaction: ticketCreate(
        signer.address,
        part.map(({ purpose }) => purposeId(purpose)),
        { ...limits, sequence },
      ),
      candidate: {
        kind: 'ticket_create',
        purposes: part.map(({ purpose }) => writePurpose(purpose)),
        sequence,
        ...limitsOf(limits),
      },
    })),
  );
  const requests: SignedCreate[] = [];
  let isGap = false;
  for (const [index, { part, sequence }] of asked.entries()) {
    const outcome = outcomes[index];
    if (outcome?.kind !== 'signed') {
      logUnsigned(ctx, signer.address, 'tickets', outcome);
      isGap = true;
    } else if (!isGap) {
      const request = {
        txHash: outcome.hash,
        txBlob: outcome.blob,
        account: signer.address,
        count: part.length,
        sequence,
        firstLedger: server.validatedIndex,
        lastLedgerSequence: limits.lastLedgerSequence,
      };
      requests.push({ request, part });
    }
  }
  return { requests, outcomes };
}

/** All of them or none: those behind one that another slice was first with are worth nothing. False when it was. */
async function persistAndSubmit(ctx: Ctx, requests: readonly SignedCreate[], validatedIndex: number): Promise<boolean> {
  if (requests.length === 0) return true;
  const rows = requests.map(({ request }) => request);
  const isPersisted = await ctx.db
    .transaction(async (tx) => {
      const inserted = await tx.insert(ticketRequests).values(rows).onConflictDoNothing().returning();
      if (inserted.length < rows.length) return tx.rollback();
      await tx.insert(ticketAssignments).values(
        requests.flatMap(({ request, part }) =>
          part.map(({ purpose, payoutId }, index) => ({
            account: request.account,
            ticket: request.sequence + 1 + index,
            purpose: purposeId(purpose),
            payoutId,
            requestHash: request.txHash,
          })),
        ),
      );
      return true;
    })
    .catch((error: unknown) => {
      if (error instanceof TransactionRollbackError) return false;
      throw error;
    });
  if (!isPersisted) return false;
  // In their order: a server holds back one that comes before the one in front of it.
  for (const request of rows) await submitRequest(ctx, request, validatedIndex);
  return true;
}

/** Uses up tickets that pay nothing any more, so that others have their room; persisted like requests for tickets. */
export async function cancelTickets(
  ctx: Ctx,
  signer: Signer,
  server: ServerState,
  tickets: readonly number[],
): Promise<void> {
  if (tickets.length === 0) return;
  const limits = limitsFor(signer, server);
  const outcomes = await signer.sign(
    tickets.map((ticket) => ({
      transaction: cancelTicket(signer.address, { ...limits, ticket }),
      candidate: { kind: 'ticket_cancel', ticket, ...limitsOf(limits) },
    })),
  );
  for (const [index, ticket] of tickets.entries()) {
    const outcome = outcomes[index];
    if (outcome?.kind !== 'signed') {
      logUnsigned(ctx, signer.address, 'the cancellation of a ticket', outcome);
      continue;
    }
    const request = {
      txHash: outcome.hash,
      txBlob: outcome.blob,
      account: signer.address,
      count: 0,
      sequence: ticket,
      firstLedger: server.validatedIndex,
      lastLedgerSequence: limits.lastLedgerSequence,
    };
    if (await persistRequest(ctx.db, request)) await submitRequest(ctx, request, server.validatedIndex);
  }
}

const limitsFor = (signer: Signer, server: ServerState) => ({
  feeDrops: transactionFee(server, signer.signatures),
  lastLedgerSequence: server.validatedIndex + signer.ledgersToLive,
});

function logUnsigned(ctx: Ctx, account: string, what: string, outcome: SignOutcome | undefined): void {
  const detail = outcome !== undefined && 'detail' in outcome ? outcome.detail : null;
  ctx.log.warn({ account, what, detail }, 'witnesses have not signed');
}
