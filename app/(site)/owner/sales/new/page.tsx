import type { Metadata } from 'next';
import { env } from '#lib/base/env.ts';
import { PageHead } from '../../../_ui/page-head.tsx';
import { ProjectForm } from '../../../operator/projects/form/project-form.tsx';
import { BLANK, xrpText } from '../../../operator/projects/form/values.ts';
import { mayDo } from '../../act.ts';
import { RoleNote } from '../../role-note.tsx';
import { ownerCtx } from '../../session.ts';
import { create } from '../actions.ts';
import { offeredAccounts } from '../offered-accounts.ts';

export const metadata: Metadata = { title: 'New draft', robots: { index: false } };

export default async function NewSalePage() {
  const ctx = await ownerCtx();
  const accounts = offeredAccounts();
  const [onlyAccount = ''] = accounts.deposit.length === 1 ? accounts.deposit : [];
  return (
    <div className="mx-auto max-w-3xl">
      <PageHead
        title="New draft"
        lead="Nothing can be paid to a draft, and everything in it may still change. Its address on this site is made of its name."
      />
      {mayDo(ctx, 'editor') ? (
        <ProjectForm
          action={create}
          values={{
            ...BLANK,
            deposit_address: onlyAccount,
            min_investment_xrp: xrpText(env().DEFAULT_MIN_INVESTMENT_DROPS),
          }}
          kind="new"
          accounts={accounts}
          isAddressChosen={false}
          mayAct
        />
      ) : (
        <RoleNote needs="editor" own={ctx.actor.role} what="draft sales" />
      )}
    </div>
  );
}
