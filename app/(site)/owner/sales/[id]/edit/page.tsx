import type { Metadata } from 'next';
import { PageHead } from '../../../../_ui/page-head.tsx';
import { ProjectForm } from '../../../../operator/projects/form/project-form.tsx';
import { valuesOf } from '../../../../operator/projects/form/values.ts';
import { mayDo } from '../../../act.ts';
import { RoleNote } from '../../../role-note.tsx';
import { ownSale } from '../../../session.ts';
import { changeDraft, changeTexts } from '../../actions.ts';
import { offeredAccounts } from '../../offered-accounts.ts';

export const metadata: Metadata = { title: 'Edit a sale', robots: { index: false } };

export default async function EditSalePage({ params }: { params: Promise<{ id: string }> }) {
  const { ctx, project } = await ownSale(params);
  const isDraft = project.status === 'draft';
  const needs = isDraft ? 'editor' : 'owner';
  return (
    <div className="mx-auto max-w-3xl">
      <PageHead
        title={`Edit ${project.name}`}
        lead={
          isDraft
            ? 'A draft may change in everything but its deposit account.'
            : 'Its terms are anchored on the ledger. Only what no terms hold may still change.'
        }
      />
      {mayDo(ctx, needs) ? (
        <ProjectForm
          action={isDraft ? changeDraft : changeTexts}
          values={valuesOf(project)}
          kind={isDraft ? 'draft' : 'launched'}
          id={project.id}
          accounts={offeredAccounts()}
          isAddressChosen={false}
          mayAct
        />
      ) : (
        <RoleNote needs={needs} own={ctx.actor.role} what={isDraft ? 'change a draft' : 'change a launched sale'} />
      )}
    </div>
  );
}
