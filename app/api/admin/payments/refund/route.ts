import { operation, resource } from '#lib/http/route.ts';
import { refundPaymentsContract } from '#lib/sale/held/contracts.ts';
import { refundPayments } from '#lib/sale/held/refund-payments.ts';

export const maxDuration = 60;

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(refundPaymentsContract, (ctx, { body }) => refundPayments(ctx, body)),
);
