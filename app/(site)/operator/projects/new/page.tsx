import type { Metadata } from 'next';
import { env } from '#lib/base/env.ts';
import { PageHead } from '../../../_ui/page-head.tsx';
import { operatorCtx } from '../../session.ts';
import { ProjectForm } from '../form/project-form.tsx';
import { signers } from '../form/signers.ts';
import { BLANK, xrpText } from '../form/values.ts';
import { create } from './actions.ts';

export const metadata: Metadata = { title: 'New project', robots: { index: false } };

export default async function NewProjectPage() {
  const { actor } = await operatorCtx();
  return (
    <div className="mx-auto max-w-3xl">
      <PageHead
        title="New project"
        lead="Creates a draft. Nothing can be paid to it before it is launched, and everything may still change."
      />
      <ProjectForm
        action={create}
        values={{ ...BLANK, min_investment_xrp: xrpText(env().DEFAULT_MIN_INVESTMENT_DROPS) }}
        kind="new"
        signers={await signers()}
        mayAct={actor.role === 'operator'}
      />
    </div>
  );
}
