import { operation, resource } from '#lib/http/route.ts';
import { getInvestmentContract } from '#lib/sale/contracts.ts';
import { getInvestment } from '#lib/sale/investments/read-investments.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(getInvestmentContract, (ctx, { params }) => getInvestment(ctx, params.id)),
);
