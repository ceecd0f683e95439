import { and, desc, eq, inArray, isNull, or } from 'drizzle-orm';
import { z } from 'zod';
import { payments, projects } from '#drizzle/schema/sale.ts';
import type { Ctx } from '#lib/ctx.ts';
import { loadPaymentResources, type PublicPayment, publicPayments } from '#lib/sales/held/payment-resource.ts';
import { listInvestments } from '#lib/sales/investments/read-investments.ts';
import { ownSource } from '../links.ts';
import { defineTool, projectInput, walletInput } from './define.ts';

const MOST_SHOWN = 10;

/** The wallet's payments that belong to no sale: without a tag, or with one that no launched sale has. */
async function readStrayPayments(ctx: Ctx, wallet: string): Promise<PublicPayment[]> {
  const drafts = ctx.db.select({ id: projects.id }).from(projects).where(eq(projects.status, 'draft'));
  const rows = await ctx.db
    .select()
    .from(payments)
    .where(and(eq(payments.sender, wallet), or(isNull(payments.projectId), inArray(payments.projectId, drafts))))
    .orderBy(desc(payments.ledgerIndex), desc(payments.transactionIndex))
    .limit(MOST_SHOWN);
  return publicPayments(ctx.db, await loadPaymentResources(ctx.db, rows, ctx.clock.nowMs()));
}

export const walletInvestmentsTool = defineTool({
  name: 'wallet_investments',
  description:
    "A wallet's investments, newest first, with what each bought, its payouts of tokens and its refunds, each with status, reason and transaction; and payments of the wallet that belong to no sale (no or unknown tag).",
  input: z.strictObject({ wallet_address: walletInput, project_id: projectInput.optional() }),
  async run(ctx, { wallet_address, project_id }) {
    const [{ investments, next_cursor }, strays] = await Promise.all([
      listInvestments(ctx, { wallet_address, project_id, limit: MOST_SHOWN }),
      readStrayPayments(ctx, wallet_address),
    ]);
    return {
      data: { wallet_address, investments, more: next_cursor !== null, payments_without_sale: strays },
      sources: [
        ownSource('The wallet', `/wallets/${wallet_address}`),
        ownSource("The wallet's investments", `/api/investments?wallet_address=${wallet_address}`),
      ],
    };
  },
});
export type WalletFound = Awaited<ReturnType<typeof walletInvestmentsTool.run>>['data'];
