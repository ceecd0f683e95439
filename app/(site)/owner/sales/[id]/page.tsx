import type { Metadata } from 'next';
import Link from 'next/link';
import { saleStateOf } from '../../../_data/sale-state.ts';
import { AutoRefresh } from '../../../_ui/auto-refresh.tsx';
import { Badge } from '../../../_ui/badge.tsx';
import { buttonClass } from '../../../_ui/button.tsx';
import { Hash } from '../../../_ui/hash.tsx';
import { Notice } from '../../../_ui/notice.tsx';
import { PageHead } from '../../../_ui/page-head.tsx';
import { Checklist } from '../../../operator/projects/[id]/checklist.tsx';
import { Lists } from '../../../operator/projects/[id]/lists.tsx';
import { LockedVesting } from '../../../operator/projects/[id]/locked-vesting.tsx';
import { Summary } from '../../../operator/projects/[id]/summary.tsx';
import { UnsoldRelease } from '../../../operator/projects/[id]/unsold-release.tsx';
import { mayDo } from '../../act.ts';
import { ownSale } from '../../session.ts';
import { Approvals, readApprovals } from './approvals.tsx';
import { AskToLaunch, AskToRelease } from './ask.tsx';
import { commit, fromPlatformIds, upload } from './list-actions.ts';
import { SaleActions } from './sale-actions.tsx';

export const metadata: Metadata = { title: 'Sale', robots: { index: false } };

/** Figures and the state of the sale are as old as this at most. */
const LIVE_MS = 5_000;

/** One of the tenant's sales: what it is, what stands between it and its launch, and what may be done with it. */
export default async function OwnSalePage({ params }: { params: Promise<{ id: string }> }) {
  const { ctx, project, path } = await ownSale(params);
  const state = saleStateOf(project, ctx.clock.nowMs());
  const isDraft = project.status === 'draft';
  const approvals = await readApprovals(ctx, project.id);
  const isAsked = (action: 'launch' | 'release') => approvals.open.some((each) => each.action === action);
  const mayEdit = mayDo(ctx, 'editor');
  return (
    <>
      <PageHead
        title={project.name}
        lead={
          <Link className="link" prefetch={false} href={`/sales/${isDraft ? project.id : project.slug}`}>
            {isDraft ? 'Preview, for who has this link' : 'As everybody sees it'}
          </Link>
        }
        aside={
          <span className="flex flex-wrap items-center gap-3">
            <Badge tone={state.tone}>{state.label}</Badge>
            {!isDraft && (
              <>
                <Link href={`${path}/investors`} prefetch={false} className={buttonClass('plain')}>
                  Investors
                </Link>
                <Link href={`${path}/payments`} prefetch={false} className={buttonClass('plain')}>
                  Payments
                </Link>
              </>
            )}
            {mayDo(ctx, isDraft ? 'editor' : 'owner') && (
              <Link href={`${path}/edit`} prefetch={false} className={buttonClass('plain')}>
                Edit
              </Link>
            )}
          </span>
        }
      />
      {project.pending_action !== null && (
        <div className="mb-6">
          <Notice title={`A ${project.pending_action.action} is on its way`}>
            It takes effect when the ledger validates it: transaction{' '}
            <Hash hash={project.pending_action.transaction_hash} />
          </Notice>
        </div>
      )}
      <AutoRefresh everyMs={project.pending_action === null ? LIVE_MS : undefined} />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <div className="min-w-0 space-y-6">
          <Approvals ctx={ctx} {...approvals} />
          {isDraft && <Checklist ctx={ctx} project={project} />}
          {isDraft && <AskToLaunch {...{ ctx, project }} isAsked={isAsked('launch')} />}
          {!isDraft && project.treasury !== null && <AskToRelease {...{ ctx, project }} isAsked={isAsked('release')} />}
          <SaleActions ctx={ctx} project={project} />
          <UnsoldRelease ctx={ctx} project={project} />
          <LockedVesting ctx={ctx} project={project} />
        </div>
        <div className="min-w-0 space-y-6">
          <Summary project={project} path={path} />
          <Lists
            {...{ ctx, project }}
            mayAct={mayEdit}
            actions={mayEdit ? { commit, upload, fromPlatformIds } : null}
          />
        </div>
      </div>
    </>
  );
}
