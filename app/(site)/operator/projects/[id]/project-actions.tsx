import { allowedActions } from '@tranche/rules/types.ts';
import { type ActionEffects, readActionEffects } from '#lib/sales/actions/read-effects.ts';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { mayActAlone } from '#lib/two-person.ts';
import type { ButtonLook } from '../../../_ui/button.tsx';
import { Card } from '../../../_ui/card.tsx';
import { ActionForm } from '../../action-form.tsx';
import { operatorCtx } from '../../session.ts';
import { actOnProject } from './actions.ts';
import { askToLaunch } from './approval-actions.ts';
import { effectsOf, type OfferedAction } from './effects-of.ts';
import { isAskedFor } from './project-approvals.ts';

const OFFERED: readonly OfferedAction[] = ['launch', 'pause', 'resume', 'end', 'cancel'];
const LABELS: Record<OfferedAction, { label: string; look: ButtonLook }> = {
  launch: { label: 'Launch', look: 'primary' },
  pause: { label: 'Pause', look: 'plain' },
  resume: { label: 'Resume', look: 'primary' },
  end: { label: 'End the sale', look: 'danger' },
  cancel: { label: 'Cancel the sale', look: 'danger' },
};

/** The actions that are possible now, each with what it brings about, reckoned from the records as they stand. */
export async function ProjectActions({ project, mayAct }: { project: ProjectResource; mayAct: boolean }) {
  const ctx = await operatorCtx();
  const effects = await readActionEffects(ctx, project.id);
  const allowed = OFFERED.filter((each) => allowedActions(project.status).includes(each));
  // What is asked for already stands among the approvals.
  const possible = (await isAskedFor(project.id, 'launch')) ? allowed.filter((each) => each !== 'launch') : allowed;
  const asksToLaunch = !mayActAlone(ctx.actor, 'launch');
  return (
    <Card title="Actions" lead="Each is a transaction of the deposit account, which anyone can see.">
      {possible.length === 0 ? (
        <p className="text-sm text-soft">
          {allowed.length === 0
            ? 'The sale is over: it can no longer be paused, ended or cancelled.'
            : 'The launch waits for an approval.'}
        </p>
      ) : (
        <div className="flex flex-wrap items-start gap-3">
          {possible.map((each) => (
            <ActionForm
              key={each}
              action={each === 'launch' && asksToLaunch ? askToLaunch : actOnProject}
              label={each === 'launch' && asksToLaunch ? 'Ask for the launch' : LABELS[each].label}
              look={LABELS[each].look}
              preview={<Effects kind={each} project={project} effects={effects} />}
              hidden={{ id: project.id, sale_action: each }}
              mayAct={mayAct && project.pending_action === null}
            />
          ))}
        </div>
      )}
    </Card>
  );
}

const Effects = ({
  kind,
  project,
  effects,
}: {
  kind: OfferedAction;
  project: ProjectResource;
  effects: ActionEffects;
}) => (
  <ul className="list-disc space-y-1 pl-5">
    {effectsOf(kind, project, effects).map((effect) => (
      <li key={effect}>{effect}</li>
    ))}
  </ul>
);
