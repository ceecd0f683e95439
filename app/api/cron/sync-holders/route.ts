import { syncHoldersContract } from '#lib/holders/contracts.ts';
import { operation, resource } from '#lib/http/route.ts';
import { syncHolders } from '#lib/jobs/sync-holders.ts';
import { lazyLedger } from '#lib/ledger/lazy.ts';

export const maxDuration = 60;

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(syncHoldersContract, (ctx) => syncHolders(ctx), { ledger: lazyLedger }),
);
