import { investmentId } from '@tranche/rules/ids.ts';
import { eq } from 'drizzle-orm';
import { payouts } from '#drizzle/schema/payouts.ts';
import { depositAccounts, payments } from '#drizzle/schema/sale.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { formatDrops } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import { loadPaymentResources, type PublicPayment, publicPayments } from '../held/payment-resource.ts';
import type { InvestmentResource } from '../schemas.ts';
import { getInvestment } from './read-investments.ts';

/** Where a payment is, or what else the transaction is. */
export type PaymentLookup =
  | { state: 'recorded'; payment: PublicPayment; investment: InvestmentResource | null }
  /** One of the platform's own: tokens or a refund that it sent. */
  | { state: 'our_payout'; kind: string; status: string; destination: string }
  /** Validated, to one of our deposit accounts, and not in the records yet. */
  | { state: 'not_read_yet'; ledger_index: number; delivered_xrp: string | null; destination_tag: number | null }
  | { state: 'elsewhere'; ledger_index: number; destination: string }
  | { state: 'failed'; ledger_index: number; result: string }
  | { state: 'no_payment'; ledger_index: number }
  | { state: 'not_validated'; validated_ledger: number };

/** A payment that turned up too late has a project and no investment. */
async function findInvestment(ctx: Ctx, id: string): Promise<InvestmentResource | null> {
  try {
    return await getInvestment(ctx, id);
  } catch (error) {
    if (error instanceof PlatformError && error.code === 'investment_not_found') return null;
    throw error;
  }
}

async function findRecorded(ctx: Ctx, hash: string): Promise<PaymentLookup | null> {
  const rows = await ctx.db.select().from(payments).where(eq(payments.txHash, hash));
  const [payment] = await publicPayments(ctx.db, await loadPaymentResources(ctx.db, rows, ctx.clock.nowMs()));
  if (payment !== undefined) {
    const investment = payment.project_id === null ? null : await findInvestment(ctx, investmentId(hash));
    return { state: 'recorded', payment, investment };
  }
  const [payout] = await ctx.db.select().from(payouts).where(eq(payouts.txHash, hash));
  if (payout === undefined) return null;
  return { state: 'our_payout', kind: payout.kind, status: payout.status, destination: payout.destination };
}

async function findOnLedger(ctx: Ctx, hash: string): Promise<PaymentLookup> {
  const seen = await ctx.ledger.lookUp(hash);
  if (seen.state === 'not_validated') return { state: 'not_validated', validated_ledger: seen.history.validatedIndex };
  if (seen.result !== 'tesSUCCESS') return { state: 'failed', ledger_index: seen.ledgerIndex, result: seen.result };
  const payment = await ctx.ledger.validatedPayment(hash);
  if (payment === null) return { state: 'no_payment', ledger_index: seen.ledgerIndex };
  const [account] = await ctx.db
    .select({ cursorLedger: depositAccounts.cursorLedger })
    .from(depositAccounts)
    .where(eq(depositAccounts.address, payment.destination));
  if (account === undefined || payment.ledgerIndex <= account.cursorLedger) {
    return { state: 'elsewhere', ledger_index: payment.ledgerIndex, destination: payment.destination };
  }
  const { delivered } = payment;
  return {
    state: 'not_read_yet',
    ledger_index: payment.ledgerIndex,
    delivered_xrp: typeof delivered === 'string' && /^\d+$/.test(delivered) ? formatDrops(BigInt(delivered)) : null,
    destination_tag: payment.destinationTag,
  };
}

/** Looks for a transaction in the records, then on the ledger. Throws `ledger_unavailable` when it must ask and cannot. */
export const lookUpPayment = async (ctx: Ctx, hash: string): Promise<PaymentLookup> =>
  (await findRecorded(ctx, hash)) ?? findOnLedger(ctx, hash);
