import { generatePlatformIdContract } from '#lib/accounts/platform-ids/contracts.ts';
import { Reply } from '#lib/api/answer.ts';
import { operation, resource } from '#lib/api/route.ts';
import { lazyLedger } from '#lib/xrpl/lazy.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(
    generatePlatformIdContract,
    async (ctx, { body }) => {
      const { isNew, platformId } = await import('#lib/accounts/platform-ids/generate.ts').then(
        ({ generatePlatformId }) => generatePlatformId(ctx, body),
      );
      return new Reply(isNew ? 201 : 200, platformId);
    },
    { ledger: lazyLedger },
  ),
);
