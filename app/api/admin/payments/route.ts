import { operation, resource } from '#lib/http/route.ts';
import { listPaymentsContract } from '#lib/sale/held/contracts.ts';
import { listPayments } from '#lib/sale/held/list-payments.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(listPaymentsContract, (ctx, { query }) => listPayments(ctx, query)),
);
