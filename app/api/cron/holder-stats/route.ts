import { holderStatsContract } from '#lib/accounts/holders/contracts.ts';
import { getStats } from '#lib/accounts/holders/get-stats.ts';
import { operation, resource } from '#lib/api/route.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(holderStatsContract, (ctx, { query }) => getStats(ctx, query)),
);
