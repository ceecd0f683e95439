import { listHoldersContract } from '#lib/holders/contracts.ts';
import { listHolders } from '#lib/holders/list-holders.ts';
import { operation, resource } from '#lib/http/route.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(listHoldersContract, (ctx, { query }) => listHolders(ctx, query)),
);
