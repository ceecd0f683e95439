import { operation, resource } from '#lib/api/route.ts';
import {
  deleteOwnDraftContract,
  getOwnProjectContract,
  patchOwnProjectContract,
} from '#lib/sales/projects/contracts.ts';
import { getProject } from '#lib/sales/projects/get-project.ts';
import { lazyLedger } from '#lib/xrpl/lazy.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(getOwnProjectContract, (ctx, { params }) => getProject(ctx, params.id)),
  operation(
    patchOwnProjectContract,
    (ctx, { params, body: { reason = 'changed by a member', slug: _, deposit_address: __, ...patch } }) =>
      import('#lib/sales/projects/patch-project.ts').then(({ patchProject }) =>
        patchProject(ctx, { id: params.id, patch, reason }),
      ),
    { ledger: lazyLedger },
  ),
  operation(deleteOwnDraftContract, (ctx, { params, query }) =>
    import('#lib/sales/projects/delete-draft.ts').then(({ deleteDraft }) =>
      deleteDraft(ctx, { id: params.id, reason: query.reason }),
    ),
  ),
);
