import { listHoldersContract } from '#lib/accounts/holders/contracts.ts';
import { listHolders } from '#lib/accounts/holders/list-holders.ts';
import { operation, resource } from '#lib/api/route.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(listHoldersContract, (ctx, { query }) => listHolders(ctx, query)),
);
