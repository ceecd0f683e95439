import { operation, resource } from '#lib/http/route.ts';
import { exceptionsContract } from '#lib/sale/exceptions/contracts.ts';
import { listExceptions } from '#lib/sale/exceptions/list-exceptions.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(exceptionsContract, (ctx, { params, query }) => listExceptions(ctx, { ...params, ...query })),
);
