import { setTimeout as sleep } from 'node:timers/promises';
import { type Purpose, purposeId } from '@tranche/rules/custody.ts';
import { and, desc, eq } from 'drizzle-orm';
import { ticketAssignments, ticketRequests } from '#drizzle/schema/payouts.ts';
import { payments } from '#drizzle/schema/sale.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { Signer } from '#lib/xrpl/signer.ts';
import type { AccountState } from '#lib/xrpl/types.ts';
import { readAssignedTickets, requestAssignedTickets, ticketRoom } from './assigned-tickets.ts';
import { settleTicketRequests } from './tickets.ts';

/** A TicketCreate is usually in the next ledger or the one after it. */
const TICKET_WAIT_MS = 15_000;
const TICKET_POLL_MS = 200;

/** The ticket, or the one that is being created: it can be used once the ledger shows it. */
type TicketForAssign = { ticket: number } | { awaited: number };

/**
 * The ticket that would send the payment back: used up by its assign, it can only be either credited or sent back. It is
 * asked for when there is none. The caller holds the signer's lease, which `keepLease` renews. Throws `conflict` and
 * `service_unavailable`.
 */
export async function ticketForAssign(
  ctx: Ctx,
  input: { account: AccountState; signer: Signer; paymentHash: string; keepLease: () => Promise<boolean> },
): Promise<TicketForAssign> {
  const { account, signer, paymentHash, keepLease } = input;
  const { address } = account;
  const [payment] = await ctx.db
    .select({ ledgerIndex: payments.ledgerIndex, transactionIndex: payments.transactionIndex })
    .from(payments)
    .where(eq(payments.txHash, paymentHash));
  if (payment === undefined) throw new PlatformError('not_found', 'No such payment is recorded.');
  const purpose: Purpose = { kind: 'refund', payment, part: 1 };
  const id = purposeId(purpose);
  await settleTicketRequests(ctx, address);
  const tickets = await readAssignedTickets(ctx, address);
  const own = tickets.usable.get(id);
  if (own !== undefined) return { ticket: own.ticket };
  if (!tickets.requested.has(id)) {
    const server = await ctx.ledger.serverState();
    if (ticketRoom(tickets, account, server) === 0) {
      throw new PlatformError('conflict', 'The deposit account can have no more tickets now. Try again later.');
    }
    const wanted = [{ purpose, payoutId: null }];
    const { waiting, refused } = await requestAssignedTickets(ctx, signer, server, wanted, {
      keepLease,
      deadlineMs: ctx.clock.nowMs() + TICKET_WAIT_MS,
    });
    if (refused.length > 0) throw new PlatformError('conflict', 'The witnesses refuse a ticket for this payment.');
    if (waiting.length > 0) {
      throw new PlatformError('service_unavailable', 'Too few witnesses have signed. Try again.');
    }
  }
  const [asked] = await ctx.db
    .select({ ticket: ticketAssignments.ticket })
    .from(ticketAssignments)
    .innerJoin(ticketRequests, eq(ticketRequests.txHash, ticketAssignments.requestHash))
    .where(
      and(eq(ticketAssignments.account, address), eq(ticketAssignments.purpose, id), eq(ticketRequests.status, 'open')),
    )
    .orderBy(desc(ticketAssignments.ticket))
    .limit(1);
  if (asked === undefined) throw ticketNotYet();
  return { awaited: asked.ticket };
}

/**
 * Waits a few ledgers until a validated one shows the ticket. Payouts of the account go on meanwhile: the caller does not
 * hold the signer's lease. Throws `conflict` when it is still not there.
 */
export async function waitForTicket(ctx: Ctx, address: string, ticket: number): Promise<void> {
  const giveUpAtMs = performance.now() + TICKET_WAIT_MS;
  while (!(await ctx.ledger.tickets(address)).includes(ticket)) {
    if (performance.now() >= giveUpAtMs) throw ticketNotYet();
    await sleep(TICKET_POLL_MS);
  }
}

/** Who asks again later finds it. */
export const ticketNotYet = (): PlatformError =>
  new PlatformError('conflict', 'The ticket for it is still being created. Try again in a few seconds.', {
    headers: { 'retry-after': '5' },
  });
