import { and, desc, eq, getTableColumns, isNull, or } from 'drizzle-orm';
import { investments, payments, projects } from '#drizzle/schema/sale.ts';
import type { Ctx } from '#lib/ctx.ts';
import { loadPaymentResources, type PublicPayment, publicPayments } from '../held/payment-resource.ts';

/**
 * The newest payments of a wallet that are in no investment: without a tag, with one that no sale has, or found too late.
 * A payment to a draft is among them, as one to a tag that no sale has.
 */
export async function paymentsInNoSale(ctx: Ctx, wallet: string, limit: number): Promise<PublicPayment[]> {
  const rows = await ctx.db
    .select(getTableColumns(payments))
    .from(payments)
    .leftJoin(investments, eq(investments.txHash, payments.txHash))
    .leftJoin(projects, eq(projects.id, payments.projectId))
    .where(and(eq(payments.sender, wallet), or(isNull(investments.id), eq(projects.status, 'draft'))))
    .orderBy(desc(payments.ledgerIndex), desc(payments.transactionIndex))
    .limit(limit);
  return publicPayments(ctx.db, await loadPaymentResources(ctx.db, rows, ctx.clock.nowMs()));
}
