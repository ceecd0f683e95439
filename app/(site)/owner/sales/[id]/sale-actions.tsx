import { allowedActions } from '@tranche/rules/types.ts';
import { readActionEffects } from '#lib/sales/actions/read-effects.ts';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { Card } from '../../../_ui/card.tsx';
import { ActionForm } from '../../../operator/action-form.tsx';
import { effectsOf } from '../../../operator/projects/[id]/effects-of.ts';
import { mayDo } from '../../act.ts';
import { RoleNote } from '../../role-note.tsx';
import type { OwnerCtx } from '../../session.ts';
import { remove } from '../actions.ts';
import { actOnSale } from './actions.ts';

const OFFERED = ['pause', 'resume', 'end'] as const;
const LABELS = {
  pause: { label: 'Pause', look: 'plain' },
  resume: { label: 'Resume', look: 'primary' },
  end: { label: 'End the sale', look: 'danger' },
} as const;

/** What who is signed in may do with the sale as it is now. */
export async function SaleActions({ ctx, project }: { ctx: OwnerCtx; project: ProjectResource }) {
  if (project.status === 'draft') return <DraftActions ctx={ctx} project={project} />;
  const possible = OFFERED.filter((each) => allowedActions(project.status).includes(each));
  if (possible.length === 0) return null;
  return (
    <Card title="Actions" lead="Each is a transaction of the deposit account, which anyone can see.">
      {mayDo(ctx, 'owner') ? (
        <Forms possible={possible} {...{ ctx, project }} />
      ) : (
        <RoleNote needs="owner" own={ctx.actor.role} what="pause, resume and end a sale" />
      )}
    </Card>
  );
}

async function Forms({
  ctx,
  project,
  possible,
}: {
  ctx: OwnerCtx;
  project: ProjectResource;
  possible: readonly (typeof OFFERED)[number][];
}) {
  const effects = await readActionEffects(ctx, project.id);
  return (
    <div className="flex flex-wrap items-start gap-3">
      {possible.map((each) => (
        <ActionForm
          key={each}
          action={actOnSale}
          label={LABELS[each].label}
          look={LABELS[each].look}
          hidden={{ id: project.id, sale_action: each }}
          mayAct={project.pending_action === null}
          preview={
            <ul className="list-disc space-y-1 pl-5">
              {effectsOf(each, project, effects).map((effect) => (
                <li key={effect}>{effect}</li>
              ))}
            </ul>
          }
        />
      ))}
    </div>
  );
}

const DraftActions = ({ ctx, project }: { ctx: OwnerCtx; project: ProjectResource }) => (
  <Card title="The draft">
    {mayDo(ctx, 'editor') ? (
      <ActionForm
        action={remove}
        label="Delete the draft"
        look="danger"
        hidden={{ id: project.id }}
        mayAct={project.pending_action === null}
        preview={<p>It is gone for all members, with its lists. Its destination tag is never used again.</p>}
      />
    ) : (
      <RoleNote needs="editor" own={ctx.actor.role} what="change or delete a draft" />
    )}
  </Card>
);
