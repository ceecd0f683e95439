import { operation, resource } from '#lib/http/route.ts';
import { thenWake } from '#lib/jobs/heartbeat.ts';
import { refundPaymentContract } from '#lib/sale/held/contracts.ts';
import { refundPayment } from '#lib/sale/held/refund-payment.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(refundPaymentContract, (ctx, { params, body }) =>
    thenWake(ctx, refundPayment(ctx, { transactionHash: params.transaction_hash, reason: body.reason })),
  ),
);
