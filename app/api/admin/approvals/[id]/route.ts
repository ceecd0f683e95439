import { operation, resource } from '#lib/api/route.ts';
import { getApprovalContract } from '#lib/sales/approvals/contracts.ts';
import { getApproval } from '#lib/sales/approvals/list-approvals.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(getApprovalContract, (ctx, { params }) => getApproval(ctx, params.id)),
);
