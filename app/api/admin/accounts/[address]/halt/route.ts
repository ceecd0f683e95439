import { operation, resource } from '#lib/http/route.ts';
import { lazyLedger } from '#lib/ledger/lazy.ts';
import { haltAccountContract } from '#lib/sale/accounts/contracts.ts';
import { setHalted } from '#lib/sale/accounts/set-halted.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(
    haltAccountContract,
    (ctx, { params, body }) => setHalted(ctx, { address: params.address, halted: true, reason: body.reason }),
    { ledger: lazyLedger },
  ),
);
