import { and, eq, gt, max, sql } from 'drizzle-orm';
import { ticketRequests } from '#drizzle/schema/payouts.ts';
import { actions } from '#drizzle/schema/sale.ts';
import type { Ctx } from '#lib/ctx.ts';

/**
 * Sequence for the next transaction that `address` signs with one: behind what the ledger shows as open or queued, and
 * behind what is persisted here and still on its way, so that no sequence is handed out twice. The caller holds the
 * signer's lease.
 */
export async function nextSequence(ctx: Ctx, address: string): Promise<number> {
  // What has outlived its last ledger is counted by the ledger already, or never will be: behind it would be a gap.
  const { validatedIndex } = await ctx.ledger.serverState();
  const [onLedger, [action], [request]] = await Promise.all([
    ctx.ledger.nextSequence(address),
    ctx.db
      .select({ sequence: max(actions.sequence) })
      .from(actions)
      .where(
        and(
          eq(actions.account, address),
          eq(actions.status, 'submitted'),
          gt(actions.lastLedgerSequence, validatedIndex),
        ),
      ),
    // A TicketCreate takes the sequences of its tickets too.
    ctx.db
      .select({
        sequence: sql<number | null>`max(${ticketRequests.sequence} + ${ticketRequests.count})`.mapWith(Number),
      })
      .from(ticketRequests)
      .where(
        and(
          eq(ticketRequests.account, address),
          eq(ticketRequests.status, 'open'),
          gt(ticketRequests.lastLedgerSequence, validatedIndex),
        ),
      ),
  ]);
  return Math.max(onLedger, (action?.sequence ?? 0) + 1, (request?.sequence ?? 0) + 1);
}
