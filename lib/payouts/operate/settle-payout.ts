import { eq, sql } from 'drizzle-orm';
import { payoutAttempts, payouts } from '#drizzle/schema/payouts.ts';
import { payments } from '#drizzle/schema/sale.ts';
import type { Tx } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import { appendEvents } from '#lib/events/append.ts';
import type { ValidatedPayment } from '#lib/xrpl/types.ts';
import { deliversExactly } from '../delivered.ts';
import { payoutEvent } from '../events.ts';
import { loadStored } from '../load.ts';
import type { Payout } from '../types.ts';
import { payoutNotFound } from './get-payout.ts';
import { assertPossible } from './possible-actions.ts';

/** A payout with the transaction, signed by whom so ever, that has paid it on the ledger. */
export interface Settlement {
  payout: Payout;
  sent: ValidatedPayment;
}

/**
 * Reads the transaction that is said to have paid a held payout. Throws `not_found`; `conflict` when the payout is not
 * held, or the ledger shows no such payment, naming what differs; `ledger_unavailable`.
 */
export async function readSettlement(ctx: Ctx, id: string, transactionHash: string): Promise<Settlement> {
  const [stored] = await loadStored(ctx.db, eq(payouts.id, id), [], 1);
  if (stored === undefined) throw payoutNotFound();
  assertPossible('settle', { status: stored.status, isDue: true });
  const sent = await ctx.ledger.validatedPayment(transactionHash);
  if (sent === null) {
    throw conflict(`No ledger server shows ${transactionHash} as a validated and successful Payment.`);
  }
  const differs = difference(stored.payout, sent);
  if (differs !== null) throw conflict(`${transactionHash} has not paid this payout: ${differs}.`);
  return { payout: stored.payout, sent };
}

/** What keeps a payment from being the one that pays this payout; null when nothing does. Pure. */
function difference(payout: Payout, sent: ValidatedPayment): string | null {
  if (sent.account !== payout.account) return `it was sent by ${sent.account}, and ${payout.account} pays it`;
  if (sent.destination !== payout.destination) return `it went to ${sent.destination}, not to ${payout.destination}`;
  if (sent.destinationTag !== payout.destinationTag) {
    return `its destination tag is ${sent.destinationTag ?? 'missing'}, and that of the payout ${payout.destinationTag ?? 'none'}`;
  }
  if (deliversExactly(payout, sent.delivered)) return null;
  return `it delivered ${JSON.stringify(sent.delivered)}, which is not exactly what is owed`;
}

/**
 * Books a held payout, locked by the caller, as paid by that transaction. One transaction pays one payout: throws
 * `conflict` when it is another one's, or older than the payment that the payout is for.
 */
export async function writeSettlement(tx: Tx, { payout, sent }: Settlement): Promise<void> {
  // Two operators with the same hash and two payouts have no row in common.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${sent.hash}, 0))`);
  const { rows } = await tx.execute<{ payout_id: string }>(sql`
    select id as payout_id from ${payouts} where tx_hash = ${sent.hash} and id <> ${payout.id}
    union select payout_id from ${payoutAttempts} where tx_hash = ${sent.hash} and payout_id <> ${payout.id} limit 1`);
  const [other] = rows;
  if (other !== undefined) throw conflict(`${sent.hash} is the transaction of another payout, ${other.payout_id}.`);
  const [paidFor] = await tx
    .select({ ledgerIndex: payments.ledgerIndex })
    .from(payouts)
    .innerJoin(payments, eq(payments.txHash, payouts.paymentHash))
    .where(eq(payouts.id, payout.id));
  if (paidFor !== undefined && sent.ledgerIndex < paidFor.ledgerIndex) {
    throw conflict(`${sent.hash} is older than the payment that this payout is for.`);
  }
  await tx
    .update(payouts)
    .set({
      status: 'validated',
      reason: null,
      txHash: sent.hash,
      ledgerIndex: sent.ledgerIndex,
      validatedAt: new Date(sent.closedAtMs),
    })
    .where(eq(payouts.id, payout.id));
  const event = payoutEvent(payout, sent);
  if (event !== null) await appendEvents(tx, [event]);
}

const conflict = (detail: string): PlatformError => new PlatformError('conflict', detail);
