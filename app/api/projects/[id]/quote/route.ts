import { operation, resource } from '#lib/http/route.ts';
import { quoteContract } from '#lib/sale/contracts.ts';
import { quoteAmount } from '#lib/sale/investments/quote.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(quoteContract, (ctx, { params, query }) => quoteAmount(ctx, { id: params.id, ...query })),
);
