import { createApiKeyContract } from '#lib/accounts/api-keys/contracts.ts';
import { createApiKey } from '#lib/accounts/api-keys/create-api-key.ts';
import { operation, resource } from '#lib/api/route.ts';
import { lazyLedger } from '#lib/xrpl/lazy.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(createApiKeyContract, (ctx, { body, caller }) => createApiKey(ctx, body, caller), { ledger: lazyLedger }),
);
