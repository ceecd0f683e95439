import { awaitedLater } from '#lib/base/awaited-later.ts';
import type { Ctx } from '#lib/ctx.ts';
import { beginToRead, findPayerOf, noteMinorFirst, planPart, selectBatch } from './batch.ts';
import type { CheckedPayout } from './check.ts';
import { roomOf, type Slice } from './slice.ts';
import { beginToSubmit, signBatch } from './submit-batch.ts';
import { freeTickets } from './tickets.ts';
import { requestMoreTickets } from './tickets-ahead.ts';
import { BATCH, type Payout } from './types.ts';

/**
 * Pays the next batch of an account with one key, part by part: checks what is due against the ledger, signs and persists what would arrive, and only
 * then submits it; the next slice settles it (settle.ts). Meanwhile the ledger is read for the next part. Behind the last
 * part it asks for the tickets of the next batch. True when there may be more to do at once.
 */
export async function payBatch(ctx: Ctx, slice: Slice): Promise<boolean> {
  const { early } = slice;
  slice.early = null;
  const batch = await selectBatch(ctx, slice, roomOf(slice), early === null ? null : { early: early.due });
  if (batch === null) return false;
  const stock = slice.before === null ? awaitedLater(early?.stock ?? freeTickets(ctx, slice.account)) : null;
  const payer = await findPayerOf(ctx, slice, batch, early);
  if (payer === null) return batch.isFull;
  if (stock !== null) slice.freeTickets = (await stock).free;
  slice.before ??= { payer: payer.payer, ticketsHeld: (await stock)?.held ?? 0 };
  const payable: Payout[] = [];
  const withoutTicket: Payout[] = [];
  let isWhole = true;
  const readPart = (from: number) => beginToRead(ctx, batch, payer, batch.due.slice(from, from + BATCH));
  // Read early about the same payouts, unless some of them were left out.
  let ahead = early !== null && early.due.loaded.length === batch.due.length ? early.facts : null;
  for (let from = 0; from < batch.due.length && isWhole; from += BATCH) {
    if (from > 0 && (withoutTicket.length > 0 || ctx.clock.nowMs() >= slice.deadlineMs)) {
      isWhole = false;
      break;
    }
    const checked: readonly CheckedPayout[] = await (ahead ?? readPart(from));
    const next = from + BATCH;
    // Without a ticket for it, it is most likely not looked at.
    ahead = next < batch.due.length && slice.freeTickets.length > checked.length ? readPart(next) : null;
    const part = await planPart(ctx, slice, checked);
    const tickets = slice.freeTickets.splice(0, part.length);
    payable.push(...part);
    withoutTicket.push(...part.slice(tickets.length));
    const pairs = tickets.flatMap((ticket, index) => {
      const payout = part[index];
      return payout === undefined ? [] : [{ payout, ticket }];
    });
    const signed = await signBatch(ctx, slice, batch, payer.signer, pairs);
    if (signed === null) return false;
    beginToSubmit(ctx, slice, batch, signed.attempts);
    // The rest of the XRP is queued, with what comes after it here.
    isWhole = !signed.xrpIsUsedUp;
  }
  if (isWhole) noteMinorFirst(slice, batch, payable);
  const hasMore = batch.isFull || !isWhole;
  const asked = { payable, withoutTicket, hasMore };
  const isStillOurs = await requestMoreTickets(ctx, slice, batch, payer.signer, slice.before, asked);
  return isStillOurs && withoutTicket.length === 0 && (hasMore || batch.minorLeftOut);
}
