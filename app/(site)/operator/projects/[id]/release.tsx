import { PlatformError } from '#lib/base/errors.ts';
import { getRelease } from '#lib/payouts/release/read-release.ts';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { mayActAlone } from '#lib/two-person.ts';
import { Xrp } from '../../../_ui/amounts.tsx';
import { Card } from '../../../_ui/card.tsx';
import { Fact } from '../../../_ui/facts.tsx';
import { Field } from '../../../_ui/field.tsx';
import { formatAmount } from '../../../_ui/format.ts';
import { Notice } from '../../../_ui/notice.tsx';
import { ActionForm } from '../../action-form.tsx';
import { operatorCtx } from '../../session.ts';
import { release } from './actions.ts';
import { askToRelease } from './approval-actions.ts';
import { isAskedFor } from './project-approvals.ts';
import { ReleaseFigures } from './release-figures.tsx';

/** What was raised, what of it may go to the treasury now, and why not more. */
export async function Release({ project, mayAct }: { project: ProjectResource; mayAct: boolean }) {
  const figures = await read(project.id);
  const isAsked = await isAskedFor(project.id, 'release');
  const isAlone = mayActAlone((await operatorCtx()).actor, 'release');
  return (
    <Card title="Release to the treasury">
      {typeof figures === 'string' ? (
        <Notice tone="warn">{figures}</Notice>
      ) : (
        <>
          <ReleaseFigures figures={figures}>
            <Fact name="Reserved in the deposit account">
              <Xrp isExact value={figures.deposit_account.floor_xrp} />
            </Fact>
          </ReleaseFigures>
          {isAsked && <p className="my-3 text-sm text-soft">A release waits for an approval.</p>}
          {figures.releasable_xrp !== '0.000000' && !isAsked && (
            <div className="mt-4">
              <ActionForm
                action={isAlone ? release : askToRelease}
                label={isAlone ? 'Release' : 'Ask for a release'}
                mayAct={mayAct}
                hidden={{ id: project.id, release_id: crypto.randomUUID() }}
                rehearses
                preview={
                  <p>
                    Pays up to {formatAmount(figures.releasable_xrp)} XRP to{' '}
                    <span className="font-mono text-xs break-all">{figures.treasury}</span>
                    {isAlone ? '. This cannot be undone.' : ' once another operator has approved it.'}
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
        </>
      )}
    </Card>
  );
}

async function read(projectId: string) {
  try {
    return await getRelease(await operatorCtx(), projectId);
  } catch (err) {
    if (err instanceof PlatformError) return err.detail;
    throw err;
  }
}
