import { operation, resource } from '#lib/api/route.ts';
import { refundPaymentsContract } from '#lib/sales/held/contracts.ts';

export const maxDuration = 60;

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(refundPaymentsContract, (ctx, { body }) =>
    import('#lib/sales/held/refund-payments.ts').then(({ refundPayments }) => refundPayments(ctx, body)),
  ),
);
