import { allowedActions } from '@tranche/rules/types.ts';
import type { Ctx } from '#lib/ctx.ts';
import { listLists } from '#lib/sales/lists/list-lists.ts';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { Badge } from '../../../_ui/badge.tsx';
import { Card } from '../../../_ui/card.tsx';
import { Empty } from '../../../_ui/empty.tsx';
import { formatCounted } from '../../../_ui/format.ts';
import { Digest } from '../../../_ui/hash.tsx';
import { ActionForm } from '../../action-form.tsx';
import type { FormAction } from '../../use-form-action.ts';
import { type ListMakers, NewList } from './new-list.tsx';

const SHOWN = 10;

/** The versions of the allowlist: drafts, and those that were published and anchored. Without `actions` they are only read. */
export async function Lists({
  ctx,
  project,
  mayAct,
  actions,
}: {
  ctx: Ctx;
  project: ProjectResource;
  mayAct: boolean;
  actions: (ListMakers & { commit: FormAction }) | null;
}) {
  const { lists } = await listLists(ctx, { projectId: project.id, limit: SHOWN, withDrafts: true });
  const offered = allowedActions(project.status).includes('list') ? actions : null;
  return (
    <Card title="Allowlist" lead="A published version never changes; its hash is anchored on the ledger.">
      {lists.length === 0 && <Empty title="No version yet">Sales for everybody need none.</Empty>}
      <ul className="divide-y divide-line text-sm">
        {lists.map((list) => (
          <li key={list.id} className="space-y-3 py-3">
            <p className="flex flex-wrap items-center justify-between gap-3">
              <span>
                Version {list.version}, {formatCounted(list.entries, 'wallet')}
              </span>
              <Badge tone={list.in_force ? 'good' : 'neutral'}>
                {list.in_force ? 'in force' : list.status === 'committed' ? 'published' : 'draft'}
              </Badge>
            </p>
            {list.hash !== null && <Digest text={list.hash} />}
            {list.status === 'draft' && offered !== null && (
              <ActionForm
                action={offered.commit}
                label="Publish and anchor"
                hidden={{ id: project.id, list_id: list.id }}
                mayAct={mayAct && list.entries > 0 && project.pending_action === null}
                preview={
                  <p>
                    Publishes {formatCounted(list.entries, 'wallet')} for good and anchors the list’s hash by an action.
                    Payments after it are admitted by this version alone.
                  </p>
                }
              />
            )}
          </li>
        ))}
      </ul>
      {offered !== null && <NewList projectId={project.id} mayAct={mayAct} {...offered} />}
    </Card>
  );
}
