import { operation, resource } from '#lib/api/route.ts';
import { thenWake } from '#lib/jobs/heartbeat.ts';
import { assignPaymentContract } from '#lib/sales/held/contracts.ts';
import { lazyLedger } from '#lib/xrpl/lazy.ts';

export const maxDuration = 60;

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(
    assignPaymentContract,
    (ctx, { params, body }) =>
      thenWake(
        ctx,
        import('#lib/sales/held/assign-payment.ts').then(({ assignPayment }) =>
          assignPayment(ctx, {
            transactionHash: params.transaction_hash,
            projectId: body.project_id,
            reason: body.reason,
          }),
        ),
      ),
    { ledger: lazyLedger },
  ),
);
