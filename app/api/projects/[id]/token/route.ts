import { operation, resource } from '#lib/api/route.ts';
import { projectTokenContract } from '#lib/sales/contracts.ts';
import { getProjectToken } from '#lib/sales/projects/get-token.ts';
import { lazyLedger } from '#lib/xrpl/lazy.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(projectTokenContract, (ctx, { params }) => getProjectToken(ctx, params.id), { ledger: lazyLedger }),
);
