import { operation, resource } from '#lib/api/route.ts';
import { listOwnInvestmentsContract } from '#lib/sales/investments/contracts.ts';
import { recentInvestments } from '#lib/sales/investments/read-investments.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(listOwnInvestmentsContract, (ctx, { params, query }) =>
    recentInvestments(ctx, { project_id: params.id, ...query }),
  ),
);
