import { operation, resource } from '#lib/api/route.ts';
import { listPaymentsContract } from '#lib/sales/held/contracts.ts';
import { listPayments } from '#lib/sales/held/list-payments.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(listPaymentsContract, (ctx, { query }) => listPayments(ctx, query)),
);
