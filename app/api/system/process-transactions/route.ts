import { operation, resource } from '#lib/api/route.ts';
import { processTransactionsContract } from '#lib/sales/feed/contracts.ts';
import { lazyLedger } from '#lib/xrpl/lazy.ts';

export const maxDuration = 60;

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(
    processTransactionsContract,
    (ctx, { body }) =>
      import('#lib/jobs/process-transactions.ts').then(({ processTransactions }) => processTransactions(ctx, body)),
    { ledger: lazyLedger },
  ),
);
