import { operation, resource } from '#lib/http/route.ts';
import { thenWake } from '#lib/jobs/heartbeat.ts';
import { lazyLedger } from '#lib/ledger/lazy.ts';
import { assignPayment } from '#lib/sale/held/assign-payment.ts';
import { assignPaymentContract } from '#lib/sale/held/contracts.ts';

export const maxDuration = 60;

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(
    assignPaymentContract,
    (ctx, { params, body }) =>
      thenWake(
        ctx,
        assignPayment(ctx, {
          transactionHash: params.transaction_hash,
          projectId: body.project_id,
          reason: body.reason,
        }),
      ),
    { ledger: lazyLedger },
  ),
);
