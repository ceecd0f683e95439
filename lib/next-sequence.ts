import { and, eq, gt, inArray, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import { ticketRequests } from '#drizzle/schema/payouts.ts';
import { actions } from '#drizzle/schema/sale.ts';
import type { Ctx } from '#lib/ctx.ts';

/**
 * Sequence for the next transaction that `address` signs with one: behind what the ledger shows as open or queued, and
 * behind what is persisted here and still on its way, so that no sequence is handed out twice. What waits behind one that
 * has failed or expired will never be validated: the sequence is that of the gap. The caller holds the signer's lease.
 */
export async function nextSequence(ctx: Ctx, address: string): Promise<number> {
  const [onLedger, onTheirWay] = await Promise.all([ctx.ledger.nextSequence(address), readOnTheirWay(ctx, address)]);
  let next = onLedger;
  for (const { sequence, following } of onTheirWay) {
    if (sequence < next) continue;
    // Without such a reason it is the server that is behind.
    if (sequence > next && (await isGap(ctx, address, next))) break;
    next = following;
  }
  return next;
}

/** The sequences that persisted transactions take, a TicketCreate those of its tickets too, ascending. */
async function readOnTheirWay(ctx: Ctx, address: string): Promise<{ sequence: number; following: number }[]> {
  // What has outlived its last ledger is counted by the ledger already, or never will be: behind it would be a gap.
  const { validatedIndex } = await ctx.ledger.serverState();
  const ofActions = ctx.db
    .select({ sequence: actions.sequence, following: sql<number>`${actions.sequence} + 1`.mapWith(Number) })
    .from(actions)
    .where(
      and(
        eq(actions.account, address),
        eq(actions.status, 'submitted'),
        gt(actions.lastLedgerSequence, validatedIndex),
      ),
    );
  const ofTickets = ctx.db
    .select({
      sequence: ticketRequests.sequence,
      following: sql<number>`${ticketRequests.sequence} + ${ticketRequests.count} + 1`.mapWith(Number),
    })
    .from(ticketRequests)
    .where(
      and(
        eq(ticketRequests.account, address),
        eq(ticketRequests.status, 'open'),
        gt(ticketRequests.lastLedgerSequence, validatedIndex),
      ),
    );
  const taken = await unionAll(ofActions, ofTickets);
  return taken
    .flatMap(({ sequence, following }) => (sequence === null ? [] : [{ sequence, following }]))
    .sort((a, b) => a.sequence - b.sequence);
}

/** True when this sequence would have been taken by a transaction that has failed or expired. */
async function isGap(ctx: Ctx, address: string, sequence: number): Promise<boolean> {
  const [ended] = await unionAll(
    ctx.db
      .select({ txHash: ticketRequests.txHash })
      .from(ticketRequests)
      .where(
        and(
          eq(ticketRequests.account, address),
          inArray(ticketRequests.status, ['failed', 'expired']),
          sql`${sequence}::bigint between ${ticketRequests.sequence} and ${ticketRequests.sequence} + ${ticketRequests.count}`,
        ),
      ),
    ctx.db
      .select({ txHash: actions.txHash })
      .from(actions)
      .where(and(eq(actions.account, address), eq(actions.status, 'expired'), eq(actions.sequence, sequence))),
  ).limit(1);
  return ended !== undefined;
}
