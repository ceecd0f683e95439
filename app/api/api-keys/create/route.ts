import { createApiKeyContract } from '#lib/access/contracts.ts';
import { createApiKey } from '#lib/access/create-api-key.ts';
import { operation, resource } from '#lib/http/route.ts';
import { lazyLedger } from '#lib/ledger/lazy.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(createApiKeyContract, (ctx, { body, caller }) => createApiKey(ctx, body, caller), { ledger: lazyLedger }),
);
