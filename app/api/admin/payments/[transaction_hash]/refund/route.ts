import { operation, resource } from '#lib/api/route.ts';
import { thenWake } from '#lib/jobs/heartbeat.ts';
import { refundPaymentContract } from '#lib/sales/held/contracts.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(refundPaymentContract, (ctx, { params, body }) =>
    thenWake(
      ctx,
      import('#lib/sales/held/refund-payment.ts').then(({ refundPayment }) =>
        refundPayment(ctx, { transactionHash: params.transaction_hash, reason: body.reason }),
      ),
    ),
  ),
);
