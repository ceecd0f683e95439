import { setTimeout as sleep } from 'node:timers/promises';
import { type Purpose, purposeId } from '@tranche/rules/custody.ts';
import { eq } from 'drizzle-orm';
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

/**
 * The ticket that would send the payment back: used up by its assign, it can only be either credited or sent back. It is
 * asked for when there is none, and waited for a few ledgers; who asks again later finds it. The caller
 * holds the signer's lease, which `keepLease` renews. Throws `conflict` and `service_unavailable`.
 */
export async function ticketForAssign(
  ctx: Ctx,
  input: { account: AccountState; signer: Signer; paymentHash: string; keepLease: () => Promise<boolean> },
): Promise<number> {
  const { account, signer, paymentHash, keepLease } = input;
  const { address } = account;
  const [payment] = await ctx.db
    .select({ ledgerIndex: payments.ledgerIndex, transactionIndex: payments.transactionIndex })
    .from(payments)
    .where(eq(payments.txHash, paymentHash));
  if (payment === undefined) throw new PlatformError('not_found', 'No such payment is recorded.');
  const purpose: Purpose = { kind: 'refund', payment, part: 1 };
  const id = purposeId(purpose);
  const giveUpAtMs = performance.now() + TICKET_WAIT_MS;
  let isAsked = false;
  do {
    await settleTicketRequests(ctx, address);
    const tickets = await readAssignedTickets(ctx, address);
    const own = tickets.usable.get(id);
    if (own !== undefined) return own.ticket;
    // Witnesses sign no TicketCreate behind one that no ledger shows.
    if (!isAsked && tickets.requested.size === 0) {
      const server = await ctx.ledger.serverState();
      if (ticketRoom(tickets, account, server) === 0) {
        throw new PlatformError('conflict', 'The deposit account can have no more tickets now. Try again later.');
      }
      const wanted = [{ purpose, payoutId: null }];
      const { waiting, refused } = await requestAssignedTickets(ctx, signer, server, wanted, keepLease);
      if (refused.length > 0) throw new PlatformError('conflict', 'The witnesses refuse a ticket for this payment.');
      if (waiting.length > 0) {
        throw new PlatformError('service_unavailable', 'Too few witnesses have signed. Try again.');
      }
      isAsked = true;
    }
    await sleep(TICKET_POLL_MS);
  } while (performance.now() < giveUpAtMs && (await keepLease()));
  throw new PlatformError('conflict', 'The ticket for it is still being created. Try again in a few seconds.', {
    headers: { 'retry-after': '5' },
  });
}
