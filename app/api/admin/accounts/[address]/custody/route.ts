import { operation, resource } from '#lib/api/route.ts';
import { setCustodyContract } from '#lib/sales/accounts/contracts.ts';
import { lazyLedger } from '#lib/xrpl/lazy.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(
    setCustodyContract,
    (ctx, { params, body }) =>
      import('#lib/sales/accounts/set-custody.ts').then(({ setCustody }) =>
        setCustody(ctx, { address: params.address, ...body }),
      ),
    {
      ledger: lazyLedger,
    },
  ),
);
