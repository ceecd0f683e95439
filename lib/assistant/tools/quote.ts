import { z } from 'zod';
import { formatDrops, xrpCodec } from '#lib/base/money.ts';
import { quoteAmount } from '#lib/sales/investments/quote.ts';
import { ownSource } from '../links.ts';
import { defineTool, projectInput, walletInput } from './define.ts';

export const quoteTool = defineTool({
  name: 'quote',
  description:
    'What an amount of XRP would buy in a sale if it arrived now, tier by tier, and what would go back and why. Give the wallet when it is known: limits and allowlists depend on it.',
  input: z.strictObject({
    project_id: projectInput,
    amount_xrp: xrpCodec.refine((drops) => drops > 0n, 'must be more than 0'),
    wallet_address: walletInput.optional(),
  }),
  async run(ctx, { project_id, amount_xrp, wallet_address }) {
    const quote = await quoteAmount(ctx, { id: project_id, amount_xrp, wallet_address });
    const query = new URLSearchParams({
      amount_xrp: formatDrops(amount_xrp),
      ...(wallet_address === undefined ? {} : { wallet_address }),
    });
    return {
      data: quote,
      sources: [ownSource(`Quote for ${quote.amount_xrp} XRP`, `/api/projects/${project_id}/quote?${query}`)],
    };
  },
});
export type QuoteFound = Awaited<ReturnType<typeof quoteTool.run>>['data'];
