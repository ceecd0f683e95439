import { operation, resource } from '#lib/http/route.ts';
import { refundPaymentContract } from '#lib/sale/held/contracts.ts';
import { refundPayment } from '#lib/sale/held/refund-payment.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(refundPaymentContract, (ctx, { params, body }) =>
    refundPayment(ctx, { transactionHash: params.transaction_hash, reason: body.reason }),
  ),
);
