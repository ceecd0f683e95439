import { holderStatsContract } from '#lib/holders/contracts.ts';
import { getStats } from '#lib/holders/get-stats.ts';
import { operation, resource } from '#lib/http/route.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(holderStatsContract, (ctx, { query }) => getStats(ctx, query)),
);
