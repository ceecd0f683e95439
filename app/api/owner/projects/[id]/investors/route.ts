import { operation, resource } from '#lib/api/route.ts';
import { listOwnInvestorsContract } from '#lib/sales/investments/contracts.ts';
import { listOwnInvestors } from '#lib/sales/investments/list-investors.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(listOwnInvestorsContract, (ctx, { params, query }) =>
    listOwnInvestors(ctx, { projectId: params.id, ...query }),
  ),
);
