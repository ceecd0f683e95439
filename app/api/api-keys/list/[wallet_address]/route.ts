import { listApiKeysContract, listProvenApiKeysContract } from '#lib/accounts/api-keys/contracts.ts';
import { listApiKeys, listProvenApiKeys } from '#lib/accounts/api-keys/list-api-keys.ts';
import { operation, resource } from '#lib/api/route.ts';
import { lazyLedger } from '#lib/xrpl/lazy.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(listApiKeysContract, (ctx, { params, query }) => listApiKeys(ctx, params.wallet_address, query), {
    ledger: lazyLedger,
  }),
  operation(
    listProvenApiKeysContract,
    (ctx, { params, query, body }) => listProvenApiKeys(ctx, params.wallet_address, query, body.proof),
    { ledger: lazyLedger },
  ),
);
