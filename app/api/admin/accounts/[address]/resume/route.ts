import { operation, resource } from '#lib/http/route.ts';
import { thenWake } from '#lib/jobs/heartbeat.ts';
import { lazyLedger } from '#lib/ledger/lazy.ts';
import { resumeAccountContract } from '#lib/sale/accounts/contracts.ts';
import { setHalted } from '#lib/sale/accounts/set-halted.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(
    resumeAccountContract,
    (ctx, { params, body }) =>
      thenWake(ctx, setHalted(ctx, { address: params.address, halted: false, reason: body.reason })),
    { ledger: lazyLedger },
  ),
);
