import { operation, resource } from '#lib/http/route.ts';
import { lazyLedger } from '#lib/ledger/lazy.ts';
import { projectTokenContract } from '#lib/sale/projects/contracts.ts';
import { getProjectToken } from '#lib/sale/projects/get-token.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(projectTokenContract, (ctx, { params }) => getProjectToken(ctx, params.id), { ledger: lazyLedger }),
);
