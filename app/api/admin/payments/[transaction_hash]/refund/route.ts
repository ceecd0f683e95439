import { operation, resource } from '#lib/api/route.ts';
import { thenWake } from '#lib/jobs/heartbeat.ts';
import { refundPaymentContract } from '#lib/sales/held/contracts.ts';
import { refundPayment } from '#lib/sales/held/refund-payment.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(refundPaymentContract, (ctx, { params, body }) =>
    thenWake(ctx, refundPayment(ctx, { transactionHash: params.transaction_hash, reason: body.reason })),
  ),
);
