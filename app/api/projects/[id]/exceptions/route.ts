import { operation, resource } from '#lib/api/route.ts';
import { exceptionsContract } from '#lib/sales/exceptions/contracts.ts';
import { listExceptions } from '#lib/sales/published/list-exceptions.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(exceptionsContract, (ctx, { params, query }) => listExceptions(ctx, { ...params, ...query })),
);
