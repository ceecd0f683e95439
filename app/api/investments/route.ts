import { operation, resource } from '#lib/http/route.ts';
import { listInvestmentsContract } from '#lib/sale/contracts.ts';
import { listInvestments } from '#lib/sale/investments/read-investments.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(listInvestmentsContract, (ctx, { query }) => listInvestments(ctx, query)),
);
