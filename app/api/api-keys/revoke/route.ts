import { revokeApiKeyContract } from '#lib/accounts/api-keys/contracts.ts';
import { operation, resource } from '#lib/api/route.ts';
import { lazyLedger } from '#lib/xrpl/lazy.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(
    revokeApiKeyContract,
    (ctx, { body }) =>
      import('#lib/accounts/api-keys/revoke-api-key.ts').then(({ revokeApiKey }) => revokeApiKey(ctx, body)),
    { ledger: lazyLedger },
  ),
);
