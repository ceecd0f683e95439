import { and, eq } from 'drizzle-orm';
import { depositAccounts } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/base/db.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { Signer } from '#lib/xrpl/signer.ts';
import { findPayer, type Payer } from './attempts.ts';
import type { Batch } from './batch.ts';
import { postponeAll } from './change-status.ts';
import { countComing, countDue, unpaidDrops } from './load.ts';
import { checkRestoreGuard } from './restore-guard.ts';
import { type LedgerBefore, renewSignerLease, type Slice } from './slice.ts';
import { affordsTicket, freeTickets, requestTickets, ticketsToRequest } from './tickets.ts';
import { MAX_IN_FLIGHT, type Payout, SPARE_TICKETS } from './types.ts';

/**
 * Requests tickets for the payable payouts that had none, for those behind the batch and for what the next ledger confirms, in the
 * ledger that uses up those of the batch: once that is submitted. Where the account cannot afford one more, those without a ticket
 * wait. False when another slice has taken the lease meanwhile.
 */
export async function requestMoreTickets(
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
  // Asked last, and anew: what was confirmed meanwhile is counted as due.
  const coming = mayRequest && slice.coming > 0 ? await countComing(ctx.db, account) : 0;
  slice.ticketsDecided ||= mayRequest;
  const count = mayRequest
    ? ticketsToRequest({
        wanted: Math.min(behind + coming, MAX_IN_FLIGHT) + SPARE_TICKETS,
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

/**
 * While nothing that is due can be paid: asks for the tickets of what the next ledger confirms, so that the one after it pays that.
 * Behind what was paid it was asked for already.
 */
export async function requestAhead(ctx: Ctx, slice: Slice): Promise<void> {
  const { account, coming } = slice;
  if (coming <= SPARE_TICKETS || slice.ticketsDecided || slice.ticketsRequested) return;
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
export async function findIdlePayer(ctx: Ctx, account: string): Promise<Payer | null> {
  if (await isHalted(ctx.db, account)) return null;
  const found = await findPayer(ctx, account);
  if (typeof found === 'string' || (await checkRestoreGuard(ctx, account)).kind === 'behind') return null;
  return found;
}

async function isHalted(db: Db, account: string): Promise<boolean> {
  const halted = and(eq(depositAccounts.address, account), eq(depositAccounts.halted, true));
  return (await db.$count(depositAccounts, halted)) > 0;
}
