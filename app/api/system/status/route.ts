import { Reply } from '#lib/api/answer.ts';
import { operation, resource } from '#lib/api/route.ts';
import { getSystemStatusContract } from '#lib/ops/status/contracts.ts';
import { getStatus } from '#lib/ops/status/get-status.ts';
import { lazyLedger } from '#lib/xrpl/lazy.ts';

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
