import { operation, resource } from '#lib/api/route.ts';
import {
  deleteOwnDraftContract,
  getOwnProjectContract,
  patchOwnProjectContract,
} from '#lib/sales/projects/contracts.ts';
import { deleteDraft } from '#lib/sales/projects/delete-draft.ts';
import { getProject } from '#lib/sales/projects/get-project.ts';
import { patchProject } from '#lib/sales/projects/patch-project.ts';
import { lazyLedger } from '#lib/xrpl/lazy.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(getOwnProjectContract, (ctx, { params }) => getProject(ctx, params.id)),
  operation(
    patchOwnProjectContract,
    (ctx, { params, body: { reason = 'changed by a member', slug: _, deposit_address: __, ...patch } }) =>
      patchProject(ctx, { id: params.id, patch, reason }),
    { ledger: lazyLedger },
  ),
  operation(deleteOwnDraftContract, (ctx, { params, query }) =>
    deleteDraft(ctx, { id: params.id, reason: query.reason }),
  ),
);
