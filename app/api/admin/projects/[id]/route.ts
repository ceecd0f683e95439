import { operation, resource } from '#lib/http/route.ts';
import { lazyLedger } from '#lib/ledger/lazy.ts';
import { adminGetProjectContract, patchProjectContract } from '#lib/sale/projects/contracts.ts';
import { getProject } from '#lib/sale/projects/get-project.ts';
import { patchProject } from '#lib/sale/projects/patch-project.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(adminGetProjectContract, (ctx, { params }) => getProject(ctx, params.id), { ledger: lazyLedger }),
  operation(
    patchProjectContract,
    (ctx, { params, body: { reason, ...patch } }) => patchProject(ctx, { id: params.id, patch, reason }),
    { ledger: lazyLedger },
  ),
);
