import { operation, resource } from '#lib/api/route.ts';
import { listInvestmentsContract } from '#lib/sales/contracts.ts';
import { listInvestments } from '#lib/sales/investments/read-investments.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(listInvestmentsContract, (ctx, { query }) => listInvestments(ctx, query)),
);
