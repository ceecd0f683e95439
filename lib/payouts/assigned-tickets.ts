import { MAX_ASSIGNED, type Purpose, purposeId } from '@tranche/rules/custody.ts';
import { cancelTicket, ticketCreate } from '@tranche/rules/transactions.ts';
import { type RefusalReason, writePurpose } from '@tranche/witness/protocol.ts';
import { and, eq, inArray, ne, or } from 'drizzle-orm';
import { payoutAttempts, payouts, ticketAssignments, ticketRequests } from '#drizzle/schema/payouts.ts';
import { actions } from '#drizzle/schema/sale.ts';
import type { Ctx } from '#lib/ctx.ts';
import { nextSequence } from '#lib/next-sequence.ts';
import { transactionFee } from '#lib/xrpl/server-state.ts';
import type { Signer, SignOutcome, SignRequest } from '#lib/xrpl/signer.ts';
import type { AccountState, ServerState } from '#lib/xrpl/types.ts';
import { limitsOf } from './purposes.ts';
import { affordableObjects, MAX_TICKETS, persistRequest, submitRequest } from './tickets.ts';

/** A ticket that was created for one purpose. */
interface AssignedTicket {
  ticket: number;
  purpose: string;
  payoutId: string | null;
}

export interface AssignedTickets {
  /** Tickets on the ledger, and those that are under way. */
  occupied: number;
  /** For each purpose the ticket to use: the lowest that is unused, unless something of ours may still use it. */
  usable: Map<string, AssignedTicket>;
  /** Purposes for which a ticket is being created. */
  requested: ReadonlySet<string>;
  /** Payouts with a ticket of either kind. */
  payoutIds: { usable: string[]; requested: string[] };
  /** Tickets that pay nothing any more: nobody knows what for, or their payout is paid. */
  useless: number[];
}

/**
 * Tickets of an account under custody by what they were created for, as the newest validated ledger and our own requests
 * show them. With a lower ticket for the same purpose still open, a higher one is not to be used (docs/custody.md).
 */
export async function readAssignedTickets(ctx: Ctx, account: string): Promise<AssignedTickets> {
  const held = await ctx.ledger.tickets(account);
  const attempts = await ctx.db
    .select({ ticket: payoutAttempts.ticket })
    .from(payoutAttempts)
    .where(
      and(
        eq(payoutAttempts.account, account),
        ne(payoutAttempts.status, 'expired'),
        inArray(payoutAttempts.ticket, held),
      ),
    );
  // A cancellation stands among the requests with its ticket as sequence, an action with a ticket among the actions.
  const cancelled = await ctx.db
    .select({ ticket: ticketRequests.sequence })
    .from(ticketRequests)
    .where(
      and(
        eq(ticketRequests.account, account),
        eq(ticketRequests.count, 0),
        inArray(ticketRequests.status, ['open', 'validated']),
        inArray(ticketRequests.sequence, held),
      ),
    );
  const acting = await ctx.db
    .select({ ticket: actions.sequence })
    .from(actions)
    .where(and(eq(actions.account, account), ne(actions.status, 'expired'), inArray(actions.sequence, held)));
  const taken = new Set([...attempts, ...cancelled, ...acting].map(({ ticket }) => ticket));
  const rows = await ctx.db
    .select({
      ticket: ticketAssignments.ticket,
      purpose: ticketAssignments.purpose,
      payoutId: ticketAssignments.payoutId,
      request: ticketRequests.status,
      payout: payouts.status,
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
  const onLedger = new Set(held);
  const created = rows.filter(({ ticket }) => onLedger.has(ticket));
  const underWay = rows.filter(({ ticket, request }) => request === 'open' && !onLedger.has(ticket));
  const lowest = new Map<string, (typeof created)[number]>();
  for (const row of created) if (!lowest.has(row.purpose)) lowest.set(row.purpose, row);
  const usable = new Map([...lowest].filter(([, { ticket }]) => !taken.has(ticket)));
  const known = new Map(created.map((row) => [row.ticket, row]));
  const isUseless = (ticket: number): boolean => {
    const row = known.get(ticket);
    return row === undefined || row.payout === 'validated' || row.payout === 'cancelled';
  };
  const idsOf = (given: Iterable<AssignedTicket>) => [...given].flatMap(({ payoutId }) => payoutId ?? []);
  return {
    occupied: held.length + underWay.length,
    usable,
    requested: new Set(underWay.map(({ purpose }) => purpose)),
    payoutIds: { usable: idsOf(usable.values()), requested: idsOf(underWay) },
    useless: held.filter((ticket) => !taken.has(ticket) && isUseless(ticket)),
  };
}

/** Gives a payout the ticket that was created for its purpose. */
export async function assignTicketTo(ctx: Ctx, account: string, ticket: number, payoutId: string): Promise<void> {
  await ctx.db
    .update(ticketAssignments)
    .set({ payoutId })
    .where(and(eq(ticketAssignments.account, account), eq(ticketAssignments.ticket, ticket)));
}

/** How many more tickets the account may have, and can pay the reserve of. */
export const ticketRoom = ({ occupied }: AssignedTickets, payer: AccountState, server: ServerState): number =>
  Math.max(0, Math.min(MAX_TICKETS - occupied, Number(affordableObjects(payer, server))));

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

/** What a witness says of one purpose: without it, it may sign the others. */
const OF_ONE_PURPOSE: ReadonlySet<RefusalReason> = new Set([
  'earlier_ticket_open',
  'inputs_missing',
  'not_due',
  'not_owed',
  'paid',
  'release_too_large',
]);
/** Witnesses are asked no more often at once: the rest has its turn with the next ledger. */
const MAX_ROUNDS = 10;

/**
 * Asks for one ticket for each purpose, at most MAX_ASSIGNED: signed, persisted with what each is for, then submitted. The
 * numbers follow the sequence (docs/ledger-facts.md, 16). One purpose that is refused must not keep the others waiting:
 * they are halved until a part is signed. What is left then is asked for once the ledger shows those tickets. The caller
 * holds the signer's lease; `keepLease` renews it and is false when it is lost.
 */
export async function requestAssignedTickets(
  ctx: Ctx,
  signer: Signer,
  server: ServerState,
  wanted: readonly Wanted[],
  keepLease: () => Promise<boolean>,
): Promise<Requested> {
  const requested: Requested = { waiting: [], refused: [] };
  const parts: (readonly Wanted[])[] = wanted.length === 0 ? [] : [wanted.slice(0, MAX_ASSIGNED)];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const part = parts.shift();
    // Cancelling and signing take their time: a sequence is only for the slice that still holds the lease.
    if (part === undefined || !(await keepLease())) break;
    const outcome = await requestPart(ctx, signer, server, part);
    if (outcome.kind === 'signed') break;
    if (part.length > 1 && 'reasons' in outcome && outcome.reasons.some((reason) => OF_ONE_PURPOSE.has(reason))) {
      const middle = Math.ceil(part.length / 2);
      parts.unshift(part.slice(0, middle), part.slice(middle));
    } else if (outcome.kind === 'refused') {
      requested.refused.push(...part.map((one) => ({ ...one, paidBy: outcome.paidBy })));
    } else requested.waiting.push(...part);
  }
  return requested;
}

/** Signed, persisted and submitted in one transaction, or why not. */
async function requestPart(
  ctx: Ctx,
  signer: Signer,
  server: ServerState,
  part: readonly Wanted[],
): Promise<SignOutcome> {
  const limits = limitsFor(signer, server);
  const sequence = await nextSequence(ctx, signer.address);
  const ids = part.map(({ purpose }) => purposeId(purpose));
  const outcome = await signOutcome(signer, {
    transaction: ticketCreate(signer.address, ids, { ...limits, sequence }),
    candidate: {
      kind: 'ticket_create',
      purposes: part.map(({ purpose }) => writePurpose(purpose)),
      sequence,
      ...limitsOf(limits),
    },
  });
  if (outcome.kind !== 'signed') {
    logUnsigned(ctx, signer.address, 'tickets', outcome);
    return outcome;
  }
  const request = {
    txHash: outcome.hash,
    txBlob: outcome.blob,
    account: signer.address,
    count: ids.length,
    sequence,
    firstLedger: server.validatedIndex,
    lastLedgerSequence: limits.lastLedgerSequence,
  };
  const isPersisted = await ctx.db.transaction(async (tx) => {
    if (!(await persistRequest(tx, request))) return false;
    await tx.insert(ticketAssignments).values(
      part.map(({ payoutId }, index) => ({
        account: signer.address,
        ticket: sequence + 1 + index,
        purpose: ids[index] ?? '',
        payoutId,
        requestHash: outcome.hash,
      })),
    );
    return true;
  });
  if (isPersisted) await submitRequest(ctx, request, server.validatedIndex);
  return outcome;
}

async function signOutcome(signer: Signer, request: SignRequest): Promise<SignOutcome> {
  const [outcome] = await signer.sign([request]);
  return outcome ?? { kind: 'waiting', detail: 'no answer', reasons: [] };
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
