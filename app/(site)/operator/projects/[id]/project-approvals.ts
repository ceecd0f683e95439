import { cache } from 'react';
import type { ApprovalResource } from '#lib/sales/approvals/contracts.ts';
import { listApprovals } from '#lib/sales/approvals/list-approvals.ts';
import { operatorCtx } from '../../session.ts';

const NEWEST = 10;
const CLOSED_SHOWN = 3;

/** The open requests of a project, and those that were closed last; read once for all parts of its page. */
export const projectApprovals = cache(async (projectId: string) => {
  const ctx = await operatorCtx();
  const [open, newest] = await Promise.all([
    listApprovals(ctx, { project_id: projectId, status: 'open', limit: NEWEST }),
    listApprovals(ctx, { project_id: projectId, limit: NEWEST }),
  ]);
  const closed = newest.approvals.filter(({ status }) => status !== 'open').slice(0, CLOSED_SHOWN);
  return { open: open.approvals, closed };
});

/** Whether the action waits for another person's decision already. */
export const isAskedFor = async (projectId: string, action: ApprovalResource['action']): Promise<boolean> =>
  (await projectApprovals(projectId)).open.some((each) => each.action === action);
