import { syncHoldersContract } from '#lib/accounts/holders/contracts.ts';
import { operation, resource } from '#lib/api/route.ts';
import { lazyLedger } from '#lib/xrpl/lazy.ts';

export const maxDuration = 60;

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(
    syncHoldersContract,
    (ctx) => import('#lib/jobs/sync-holders.ts').then(({ syncHolders }) => syncHolders(ctx)),
    { ledger: lazyLedger },
  ),
);
