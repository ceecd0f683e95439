import type { Input } from '#lib/base/contract.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import { nameFor } from './approval-resource.ts';
import type { ApprovalRequest } from './ask-for-approval.ts';
import type { ApprovalResource, listOwnApprovalsContract } from './contracts.ts';
import { findAsked, listApprovals } from './list-approvals.ts';

const AS_MEMBER = { kind: 'member' } as const;

/** The same for members, who are told no administrator's name. */
const forMembers = (approval: ApprovalResource): ApprovalResource => ({
  ...approval,
  requested_by: { ...approval.requested_by, name: nameFor(AS_MEMBER, approval.requested_by) },
  closed_by: approval.closed_by && { ...approval.closed_by, name: nameFor(AS_MEMBER, approval.closed_by) },
});

/** Requests for approval of one sale of the tenant, the newest first. */
export async function listOwnApprovals(
  ctx: Ctx,
  projectId: string,
  query: Input<typeof listOwnApprovalsContract>['query'],
): Promise<{ approvals: ApprovalResource[]; next_cursor: string | null }> {
  const { approvals, next_cursor } = await listApprovals(ctx, { ...query, project_id: projectId });
  return { approvals: approvals.map(forMembers), next_cursor };
}

/** Asks as `askForApproval` does. */
export async function askForOwnApproval(ctx: Ctx, request: ApprovalRequest): Promise<ApprovalResource> {
  const { askForApproval } = await import('./ask-for-approval.ts');
  return forMembers(await askForApproval(ctx, request));
}

/** Withdraws as `withdraw` does; throws `not_found` for a request of another sale too. */
export async function withdrawOwnApproval(
  ctx: Ctx,
  input: { projectId: string; id: string; reason: string },
): Promise<ApprovalResource> {
  const { row } = await findAsked(ctx.db, input.id);
  if (row.projectId !== input.projectId) {
    throw new PlatformError('not_found', 'There is no such request for approval.');
  }
  const { withdraw } = await import('./decide-approval.ts');
  return forMembers(await withdraw(ctx, { id: input.id, reason: input.reason }));
}
