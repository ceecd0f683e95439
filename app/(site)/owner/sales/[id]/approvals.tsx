import type { ApprovalResource } from '#lib/sales/approvals/contracts.ts';
import { listOwnApprovals } from '#lib/sales/approvals/own-approvals.ts';
import { Card } from '../../../_ui/card.tsx';
import { ActionForm } from '../../../operator/action-form.tsx';
import { ClosedRequests, NOUNS, RequestFacts } from '../../../operator/projects/[id]/request.tsx';
import { mayDo } from '../../act.ts';
import { RoleNote } from '../../role-note.tsx';
import type { OwnerCtx } from '../../session.ts';
import { withdraw } from './approval-actions.ts';

const NEWEST = 10;
const CLOSED_SHOWN = 3;

/** What of a sale waits for an operator's decision, and what was decided last. */
export async function readApprovals(ctx: OwnerCtx, projectId: string) {
  const [open, newest] = await Promise.all([
    listOwnApprovals(ctx, projectId, { status: 'open', limit: NEWEST }),
    listOwnApprovals(ctx, projectId, { limit: NEWEST }),
  ]);
  const closed = newest.approvals.filter(({ status }) => status !== 'open').slice(0, CLOSED_SHOWN);
  return { open: open.approvals, closed };
}

export function Approvals({
  ctx,
  open,
  closed,
}: {
  ctx: OwnerCtx;
  open: readonly ApprovalResource[];
  closed: readonly ApprovalResource[];
}) {
  if (open.length + closed.length === 0) return null;
  return (
    <Card id="approvals" title="Requests" lead="An operator of the platform approves or refuses each, with a reason.">
      <div className="space-y-6">
        {open.map((approval) => (
          <OpenRequest key={approval.id} ctx={ctx} approval={approval} />
        ))}
        <ClosedRequests closed={closed} />
      </div>
    </Card>
  );
}

/** Members are one party: each owner may withdraw what another asked for, and none what an operator did. */
function OpenRequest({ ctx, approval }: { ctx: OwnerCtx; approval: ApprovalResource }) {
  const noun = NOUNS[approval.action];
  const isOurs = approval.requested_by.tenant_id === ctx.actor.tenantId;
  return (
    <section aria-label={`Request for ${noun}`} className="space-y-4">
      <h3 className="font-medium break-words">
        {approval.requested_by.name} asks for {noun}
      </h3>
      <RequestFacts approval={approval} />
      {isOurs &&
        (mayDo(ctx, 'owner') ? (
          <ActionForm
            action={withdraw}
            label={`Withdraw ${noun}`}
            hidden={{ id: approval.project_id, approval_id: approval.id }}
            preview={<p>Nothing is done. It can be asked for again.</p>}
            mayAct
          />
        ) : (
          <RoleNote needs="owner" own={ctx.actor.role} what="withdraw a request" />
        ))}
    </section>
  );
}
