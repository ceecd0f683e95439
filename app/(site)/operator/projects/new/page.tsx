import type { Metadata } from 'next';
import Link from 'next/link';
import { env } from '#lib/base/env.ts';
import { PageHead } from '../../../_ui/page-head.tsx';
import type { SearchParams } from '../../query-of.ts';
import { operatorCtx } from '../../session.ts';
import { ProjectForm } from '../form/project-form.tsx';
import { signingAccounts } from '../form/signers.ts';
import { BLANK, type ProjectValues, xrpText } from '../form/values.ts';
import { create } from './actions.ts';

export const metadata: Metadata = { title: 'New project', robots: { index: false } };

export default async function NewProjectPage({ searchParams }: { searchParams: SearchParams }) {
  const { actor } = await operatorCtx();
  const given = await searchParams;
  return (
    <div className="mx-auto max-w-3xl">
      <PageHead
        title="New project"
        lead={
          <>
            Creates a draft. Nothing can be paid to it before it is launched, and everything may still change. The token
            is not on the ledger yet?{' '}
            <Link className="link" prefetch={false} href="/operator/tokens">
              Set it up first
            </Link>
            .
          </>
        }
      />
      <ProjectForm
        action={create}
        values={{ ...BLANK, ...tokenOf(given), min_investment_xrp: xrpText(env().DEFAULT_MIN_INVESTMENT_DROPS) }}
        kind="new"
        accounts={await signingAccounts()}
        mayAct={actor.role === 'operator'}
      />
    </div>
  );
}

/** A token that was set up just before, as its page hands it over in the address (tokens/plan.ts). */
function tokenOf(given: Awaited<SearchParams>): Partial<ProjectValues> {
  const text = (name: string): string => {
    const value = given[name];
    return typeof value === 'string' ? value.slice(0, 100) : '';
  };
  if (text('distributor') === '') return {};
  return {
    token_kind: text('token_kind') === 'mpt' ? 'mpt' : 'iou',
    currency: text('currency'),
    issuer: text('issuer'),
    issuance_id: text('issuance_id'),
    decimals: text('decimals'),
    distributor: text('distributor'),
    tiers: BLANK.tiers.map((tier) => ({ ...tier, total_tokens: text('total_tokens') })),
  };
}
