import { Reply } from '#lib/http/answer.ts';
import { operation, resource } from '#lib/http/route.ts';
import { lazyLedger } from '#lib/ledger/lazy.ts';
import { getSystemStatusContract } from '#lib/system/contracts.ts';
import { getStatus } from '#lib/system/get-status.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(
    getSystemStatusContract,
    async (ctx) => {
      const status = await getStatus(ctx);
      return new Reply(status.status === 'down' ? 503 : 200, status);
    },
    { ledger: lazyLedger },
  ),
);
