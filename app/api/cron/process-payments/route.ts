import { operation, resource } from '#lib/api/route.ts';
import { processPaymentsContract } from '#lib/jobs/contracts.ts';
import { lazyLedger } from '#lib/xrpl/lazy.ts';

export const maxDuration = 60;

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(
    processPaymentsContract,
    (ctx) =>
      import('#lib/jobs/process-payments.ts').then(({ processPayments }) =>
        processPayments(ctx, { isScheduled: true }),
      ),
    { ledger: lazyLedger },
  ),
);
