import { operation, resource } from '#lib/http/route.ts';
import { projectInvestmentsContract } from '#lib/sale/contracts.ts';
import { recentInvestments } from '#lib/sale/investments/recent-investments.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(projectInvestmentsContract, (ctx, { params, query }) =>
    recentInvestments(ctx, { project_id: params.id, ...query }),
  ),
);
