import { operation, resource } from '#lib/api/route.ts';
import { getInvestmentContract } from '#lib/sales/contracts.ts';
import { getInvestment } from '#lib/sales/investments/read-investments.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(getInvestmentContract, (ctx, { params }) => getInvestment(ctx, params.id)),
);
