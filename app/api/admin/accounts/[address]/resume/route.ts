import { operation, resource } from '#lib/api/route.ts';
import { thenWake } from '#lib/jobs/heartbeat.ts';
import { resumeAccountContract } from '#lib/sales/accounts/contracts.ts';
import { setHalted } from '#lib/sales/accounts/set-halted.ts';
import { lazyLedger } from '#lib/xrpl/lazy.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(
    resumeAccountContract,
    (ctx, { params, body }) =>
      thenWake(ctx, setHalted(ctx, { address: params.address, halted: false, reason: body.reason })),
    { ledger: lazyLedger },
  ),
);
