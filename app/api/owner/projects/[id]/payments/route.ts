import { operation, resource } from '#lib/api/route.ts';
import { listOwnPaymentsContract } from '#lib/sales/held/contracts.ts';
import { listPayments } from '#lib/sales/held/list-payments.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(listOwnPaymentsContract, (ctx, { params, query }) =>
    listPayments(ctx, { ...query, project_id: params.id }),
  ),
);
