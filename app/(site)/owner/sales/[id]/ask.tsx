import { PlatformError } from '#lib/base/errors.ts';
import { getRelease } from '#lib/payouts/release/read-release.ts';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { Card } from '../../../_ui/card.tsx';
import { Field } from '../../../_ui/field.tsx';
import { formatAmount } from '../../../_ui/format.ts';
import { Notice } from '../../../_ui/notice.tsx';
import { ActionForm } from '../../../operator/action-form.tsx';
import { launchEffects } from '../../../operator/projects/[id]/effects-of.ts';
import { ReleaseFigures } from '../../../operator/projects/[id]/release-figures.tsx';
import { mayDo } from '../../act.ts';
import { RoleNote } from '../../role-note.tsx';
import type { OwnerCtx } from '../../session.ts';
import { ask } from './approval-actions.ts';

interface Asking {
  ctx: OwnerCtx;
  project: ProjectResource;
  /** Such a request waits already. */
  isAsked: boolean;
}

/** The launch, which an owner asks for and an operator of the platform carries out. */
export const AskToLaunch = ({ ctx, project, isAsked }: Asking) => (
  <Card
    title="Launch"
    lead="You ask for it; an operator of the platform approves it. Approved, it anchors these terms."
  >
    {isAsked ? (
      <p className="text-sm text-soft">The launch waits for an approval. It lapses when the draft is changed.</p>
    ) : mayDo(ctx, 'owner') ? (
      <ActionForm
        action={ask}
        label="Ask for the launch"
        look="primary"
        hidden={{ id: project.id, approval_action: 'launch' }}
        mayAct={project.pending_action === null}
        preview={
          <ul className="list-disc space-y-1 pl-5">
            {launchEffects(project).map((effect) => (
              <li key={effect}>{effect}</li>
            ))}
          </ul>
        }
      />
    ) : (
      <RoleNote needs="owner" own={ctx.actor.role} what="ask for a launch" />
    )}
  </Card>
);

/** What was raised, and the form to ask for it. */
export async function AskToRelease({ ctx, project, isAsked }: Asking) {
  const figures = await getRelease(ctx, project.id).catch((err: unknown) => {
    if (err instanceof PlatformError) return err.detail;
    throw err;
  });
  if (typeof figures === 'string') {
    return (
      <Card title="Release to the treasury">
        <Notice tone="warn">{figures}</Notice>
      </Card>
    );
  }
  return (
    <Card title="Release to the treasury" lead="You ask for it; an operator of the platform approves it.">
      <ReleaseFigures figures={figures} />
      {isAsked && <p className="my-3 text-sm text-soft">A release waits for an approval.</p>}
      {!mayDo(ctx, 'owner') && <RoleNote needs="owner" own={ctx.actor.role} what="ask for a release" />}
      {figures.releasable_xrp !== '0.000000' && !isAsked && mayDo(ctx, 'owner') && (
        <div className="mt-4">
          <ActionForm
            action={ask}
            label="Ask for a release"
            look="primary"
            hidden={{ id: project.id, approval_action: 'release' }}
            mayAct
            preview={
              <p>
                Pays up to {formatAmount(figures.releasable_xrp)} XRP to{' '}
                <span className="font-mono text-xs break-all">{figures.treasury}</span> once it is approved.
              </p>
            }
            fields={
              <Field
                id="amount_xrp"
                name="amount_xrp"
                label="Amount in XRP"
                inputMode="decimal"
                hint="Left empty: everything that is releasable."
                autoComplete="off"
              />
            }
          />
        </div>
      )}
    </Card>
  );
}
