import { operation, resource } from '#lib/api/route.ts';
import { quoteContract } from '#lib/sales/contracts.ts';
import { quoteAmount } from '#lib/sales/investments/quote.ts';
import { lazyLedger } from '#lib/xrpl/lazy.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(quoteContract, (ctx, { params, query }) => quoteAmount(ctx, { id: params.id, ...query }), {
    ledger: lazyLedger,
  }),
);
