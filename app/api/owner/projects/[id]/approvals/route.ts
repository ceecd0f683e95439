import { operation, resource } from '#lib/api/route.ts';
import { askForOwnApprovalContract, listOwnApprovalsContract } from '#lib/sales/approvals/contracts.ts';
import { askForOwnApproval, listOwnApprovals } from '#lib/sales/approvals/own-approvals.ts';
import { lazyLedger } from '#lib/xrpl/lazy.ts';

export const maxDuration = 60;

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(listOwnApprovalsContract, (ctx, { params, query }) => listOwnApprovals(ctx, params.id, query)),
  operation(
    askForOwnApprovalContract,
    (ctx, { params, body: { amount_xrp: amountDrops, action, reason } }) =>
      askForOwnApproval(ctx, { projectId: params.id, action, amountDrops, reason }),
    { ledger: lazyLedger },
  ),
);
