import { operation, resource } from '#lib/api/route.ts';
import { setCustodyContract } from '#lib/sales/accounts/contracts.ts';
import { setCustody } from '#lib/sales/accounts/set-custody.ts';
import { lazyLedger } from '#lib/xrpl/lazy.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(setCustodyContract, (ctx, { params, body }) => setCustody(ctx, { address: params.address, ...body }), {
    ledger: lazyLedger,
  }),
);
