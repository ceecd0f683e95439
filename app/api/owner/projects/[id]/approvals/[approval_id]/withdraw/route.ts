import { operation, resource } from '#lib/api/route.ts';
import { withdrawOwnApprovalContract } from '#lib/sales/approvals/contracts.ts';
import { withdrawOwnApproval } from '#lib/sales/approvals/own-approvals.ts';
import { lazyLedger } from '#lib/xrpl/lazy.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(
    withdrawOwnApprovalContract,
    (ctx, { params, body }) =>
      withdrawOwnApproval(ctx, { projectId: params.id, id: params.approval_id, reason: body.reason }),
    { ledger: lazyLedger },
  ),
);
