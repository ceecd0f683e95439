import { revokeApiKeyContract } from '#lib/accounts/api-keys/contracts.ts';
import { revokeApiKey } from '#lib/accounts/api-keys/revoke-api-key.ts';
import { operation, resource } from '#lib/api/route.ts';
import { lazyLedger } from '#lib/xrpl/lazy.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(revokeApiKeyContract, (ctx, { body }) => revokeApiKey(ctx, body), { ledger: lazyLedger }),
);
