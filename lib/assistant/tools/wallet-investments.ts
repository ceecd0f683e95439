import { z } from 'zod';
import { paymentsInNoSale } from '#lib/sales/investments/payments-in-no-sale.ts';
import { listInvestments } from '#lib/sales/investments/read-investments.ts';
import { ownSource } from '../links.ts';
import { defineTool, projectInput, walletInput } from './define.ts';

const MOST_SHOWN = 10;

export const walletInvestmentsTool = defineTool({
  name: 'wallet_investments',
  description:
    "A wallet's investments, newest first, with what each bought, its payouts of tokens and its refunds, each with status, reason and transaction; and payments of the wallet that are in no sale (no or an unknown tag, or found too late).",
  input: z.strictObject({ wallet_address: walletInput, project_id: projectInput.optional() }),
  async run(ctx, { wallet_address, project_id }) {
    const [{ investments, next_cursor }, strays] = await Promise.all([
      listInvestments(ctx, { wallet_address, project_id, limit: MOST_SHOWN }),
      paymentsInNoSale(ctx, wallet_address, MOST_SHOWN),
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
