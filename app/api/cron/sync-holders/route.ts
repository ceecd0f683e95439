import { syncHoldersContract } from '#lib/accounts/holders/contracts.ts';
import { operation, resource } from '#lib/api/route.ts';
import { syncHolders } from '#lib/jobs/sync-holders.ts';
import { lazyLedger } from '#lib/xrpl/lazy.ts';

export const maxDuration = 60;

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(syncHoldersContract, (ctx) => syncHolders(ctx), { ledger: lazyLedger }),
);
