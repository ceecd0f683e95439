import type { Purpose } from '@tranche/rules/custody.ts';
import { sql } from 'drizzle-orm';
import { payouts } from '#drizzle/schema/payouts.ts';
import { textArray } from '#lib/base/bulk.ts';
import type { Ctx } from '#lib/ctx.ts';
import {
  type AssignedTickets,
  assignTicketTo,
  cancelTickets,
  readAssignedTickets,
  requestAssignedTickets,
  ticketRoom,
} from './assigned-tickets.ts';
import type { Payer } from './attempts.ts';
import { type Batch, checkBatch, findPayerOf, selectBatch } from './batch.ts';
import { postponeAll } from './change-status.ts';
import { purposeIdOf, purposeOf } from './purposes.ts';
import { renewSignerLease, roomOf, type Slice } from './slice.ts';
import { beginToSubmit, postponeUnsigned, signBatch } from './submit-batch.ts';
import { affordsTicket, MAX_TICKETS } from './tickets.ts';
import { findIdlePayer } from './tickets-ahead.ts';
import { BATCH, type Payout, WITNESSED_BATCH } from './types.ts';

/** Tickets that one slice cancels at most. */
const MAX_CANCELLATIONS = 50;

/**
 * Pays the next batch of an account under custody. What has a ticket of its own is paid first; then tickets are asked for
 * those that would arrive and have none, and what takes their room for nothing is cancelled. True when there may be more to
 * do at once.
 */
export async function payAssigned(ctx: Ctx, slice: Slice): Promise<boolean> {
  const { account } = slice;
  const tickets = await readAssignedTickets(ctx, account, slice.leaving);
  const { usable, requested } = tickets.payoutIds;
  const withTicket = sql`${payouts.id} = any (${textArray(usable)})`;
  const atOnce = Math.min(WITNESSED_BATCH, roomOf(slice));
  const paid = usable.length === 0 ? null : await selectBatch(ctx, slice, atOnce, { among: withTicket });
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
  // Witnesses sign no escrow: a lock, which no launch allows under custody, must not stop what else the account pays.
  const others = sql`not ${payouts.id} = any (${textArray([...usable, ...requested])}) and ${payouts.kind} not in ('lock', 'unlock')`;
  const most = Math.max(MAX_TICKETS - tickets.occupied, Math.min(BATCH, tickets.idle.length));
  const batch = await selectBatch(ctx, slice, most, { among: others });
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
export async function cancelUseless(ctx: Ctx, slice: Slice): Promise<void> {
  const { account } = slice;
  const { useless } = await readAssignedTickets(ctx, account);
  if (useless.length === 0) return;
  const found = await findIdlePayer(ctx, account);
  if (found === null) return;
  const server = await ctx.ledger.serverState();
  if (!(await renewSignerLease(ctx, slice))) return;
  await cancelTickets(ctx, found.signer, server, useless.slice(0, MAX_CANCELLATIONS));
}
