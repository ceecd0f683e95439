import { operation, resource } from '#lib/api/route.ts';
import { adminGetProjectContract, patchProjectContract } from '#lib/sales/projects/contracts.ts';
import { getProject } from '#lib/sales/projects/get-project.ts';
import { lazyLedger } from '#lib/xrpl/lazy.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(adminGetProjectContract, (ctx, { params }) => getProject(ctx, params.id), { ledger: lazyLedger }),
  operation(
    patchProjectContract,
    (ctx, { params, body: { reason, ...patch } }) =>
      import('#lib/sales/projects/patch-project.ts').then(({ patchProject }) =>
        patchProject(ctx, { id: params.id, patch, reason }),
      ),
    { ledger: lazyLedger },
  ),
);
