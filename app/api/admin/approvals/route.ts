import { operation, resource } from '#lib/api/route.ts';
import { askForApprovalContract, listApprovalsContract } from '#lib/sales/approvals/contracts.ts';
import { listApprovals } from '#lib/sales/approvals/list-approvals.ts';
import { lazyLedger } from '#lib/xrpl/lazy.ts';

export const maxDuration = 60;

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(listApprovalsContract, (ctx, { query }) => listApprovals(ctx, query)),
  operation(
    askForApprovalContract,
    (ctx, { body: { project_id: projectId, amount_xrp: amountDrops, action, reason } }) =>
      import('#lib/sales/approvals/ask-for-approval.ts').then(({ askForApproval }) =>
        askForApproval(ctx, { projectId, action, amountDrops, reason }),
      ),
    { ledger: lazyLedger },
  ),
);
