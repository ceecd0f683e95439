import type { Metadata } from 'next';
import { getProject } from '#lib/sales/projects/get-project.ts';
import { orNotFound } from '../../../../_data/or-not-found.ts';
import { PageHead } from '../../../../_ui/page-head.tsx';
import { operatorCtx } from '../../../session.ts';
import { ProjectForm } from '../../form/project-form.tsx';
import { signingAccounts } from '../../form/signers.ts';
import { valuesOf } from '../../form/values.ts';
import { changeDraft, changeTexts } from './actions.ts';

export const metadata: Metadata = { title: 'Edit a project', robots: { index: false } };

export default async function EditProjectPage({ params }: { params: Promise<{ id: string }> }) {
  const ctx = await operatorCtx();
  const project = await orNotFound(getProject(ctx, (await params).id));
  const isDraft = project.status === 'draft';
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
      <ProjectForm
        action={isDraft ? changeDraft : changeTexts}
        values={valuesOf(project)}
        kind={isDraft ? 'draft' : 'launched'}
        id={project.id}
        accounts={await signingAccounts()}
        mayAct={ctx.actor.role === 'operator'}
      />
    </div>
  );
}
