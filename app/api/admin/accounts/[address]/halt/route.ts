import { operation, resource } from '#lib/api/route.ts';
import { haltAccountContract } from '#lib/sales/accounts/contracts.ts';
import { setHalted } from '#lib/sales/accounts/set-halted.ts';
import { lazyLedger } from '#lib/xrpl/lazy.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(
    haltAccountContract,
    (ctx, { params, body }) => setHalted(ctx, { address: params.address, halted: true, reason: body.reason }),
    { ledger: lazyLedger },
  ),
);
