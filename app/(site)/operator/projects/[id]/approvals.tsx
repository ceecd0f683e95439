import type { ApprovalResource } from '#lib/sales/approvals/contracts.ts';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { Card } from '../../../_ui/card.tsx';
import { formatAmount } from '../../../_ui/format.ts';
import { ActionForm } from '../../action-form.tsx';
import { operatorCtx } from '../../session.ts';
import { decideApproval } from './approval-actions.ts';
import { launchEffects } from './effects-of.ts';
import { projectApprovals } from './project-approvals.ts';
import { ClosedRequests, NOUNS, RequestFacts } from './request.tsx';

/** What of the project waits for another person's decision, each with exactly what it would do; and what was decided last. */
export async function Approvals({ project, mayAct }: { project: ProjectResource; mayAct: boolean }) {
  const ctx = await operatorCtx();
  const { open, closed } = await projectApprovals(project.id);
  if (open.length + closed.length === 0) return null;
  return (
    <Card id="approvals" title="Approvals" lead="Who asked never decides. Approving carries it out, in your name.">
      <div className="space-y-6">
        {open.map((approval) => (
          <OpenRequest
            key={approval.id}
            {...{ approval, project }}
            isOwn={approval.requested_by.kind === 'administrator' && approval.requested_by.name === ctx.actor.name}
            mayAct={mayAct && project.pending_action === null}
          />
        ))}
        <ClosedRequests closed={closed} />
      </div>
    </Card>
  );
}

interface Shown {
  approval: ApprovalResource;
  project: ProjectResource;
}

function OpenRequest({ approval, project, isOwn, mayAct }: Shown & { isOwn: boolean; mayAct: boolean }) {
  const form = (decision: string, label: string, look: 'primary' | 'danger' | 'plain') => (
    <ActionForm
      action={decideApproval}
      label={label}
      look={look}
      mayAct={mayAct}
      hidden={{ approval_id: approval.id, approval_action: approval.action, decision }}
      preview={<Effects {...{ approval, project, decision }} />}
    />
  );
  const noun = NOUNS[approval.action];
  return (
    <section aria-label={`Request for ${noun}`} className="space-y-4">
      <h3 className="font-medium break-words">
        {approval.requested_by.name} asks for {noun}
      </h3>
      <RequestFacts approval={approval} />
      <div className="flex flex-wrap items-start gap-3">
        {isOwn ? (
          form('withdraw', `Withdraw ${noun}`, 'plain')
        ) : (
          <>
            {form('approve', `Approve ${noun}`, 'primary')}
            {form('refuse', `Refuse ${noun}`, 'danger')}
          </>
        )}
      </div>
    </section>
  );
}

/** What the decision brings about: for an approval what the action itself would. */
function Effects({ approval, project, decision }: Shown & { decision: string }) {
  if (decision !== 'approve') return <p>Nothing is done. It can be asked for again.</p>;
  if (approval.release !== null) {
    return (
      <p>
        Pays {formatAmount(approval.release.amount_xrp)} XRP to{' '}
        <span className="font-mono text-xs break-all">{approval.release.destination}</span>. This cannot be undone.
      </p>
    );
  }
  return (
    <ul className="list-disc space-y-1 pl-5">
      {launchEffects(project).map((effect) => (
        <li key={effect}>{effect}</li>
      ))}
      <li className="break-all">The terms have the SHA-256 {approval.launch?.terms_hash}.</li>
    </ul>
  );
}
