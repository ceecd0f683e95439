import { revokeApiKeyContract } from '#lib/access/contracts.ts';
import { revokeApiKey } from '#lib/access/revoke-api-key.ts';
import { operation, resource } from '#lib/http/route.ts';
import { lazyLedger } from '#lib/ledger/lazy.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(revokeApiKeyContract, (ctx, { body }) => revokeApiKey(ctx, body), { ledger: lazyLedger }),
);
