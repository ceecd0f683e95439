import { operation, resource } from '#lib/http/route.ts';
import { processTransactions } from '#lib/jobs/process-transactions.ts';
import { lazyLedger } from '#lib/ledger/lazy.ts';
import { processTransactionsContract } from '#lib/system/contracts.ts';

export const maxDuration = 60;

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(processTransactionsContract, (ctx, { body }) => processTransactions(ctx, body), { ledger: lazyLedger }),
);
