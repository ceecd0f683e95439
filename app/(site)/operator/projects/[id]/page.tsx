import type { Metadata } from 'next';
import Link from 'next/link';
import { getProject } from '#lib/sales/projects/get-project.ts';
import { orNotFound } from '../../../_data/or-not-found.ts';
import { saleStateOf } from '../../../_data/sale-state.ts';
import { AutoRefresh } from '../../../_ui/auto-refresh.tsx';
import { Badge } from '../../../_ui/badge.tsx';
import { buttonClass } from '../../../_ui/button.tsx';
import { Hash } from '../../../_ui/hash.tsx';
import { Notice } from '../../../_ui/notice.tsx';
import { PageHead } from '../../../_ui/page-head.tsx';
import { operatorCtx } from '../../session.ts';
import { Approvals } from './approvals.tsx';
import { Checklist } from './checklist.tsx';
import { commit, fromPlatformIds, upload } from './list-actions.ts';
import { Lists } from './lists.tsx';
import { LockedVesting } from './locked-vesting.tsx';
import { ProjectActions } from './project-actions.tsx';
import { Release } from './release.tsx';
import { SetupLink } from './setup-link.tsx';
import { Summary } from './summary.tsx';
import { UnsoldRelease } from './unsold-release.tsx';

export const metadata: Metadata = { title: 'Project', robots: { index: false } };

/** Figures and the state of the sale are as old as this at most. */
const LIVE_MS = 5_000;

/** One project: what it is, what may be done with it, and what that brings about. */
export default async function ProjectPage({ params }: { params: Promise<{ id: string }> }) {
  const ctx = await operatorCtx();
  const project = await orNotFound(getProject(ctx, (await params).id));
  const state = saleStateOf(project, ctx.clock.nowMs());
  const mayAct = ctx.actor.role === 'operator';
  const path = `/operator/projects/${project.id}`;
  const publicPath = project.status === 'draft' ? `/sales/${project.id}` : `/sales/${project.slug}`;
  return (
    <>
      <PageHead
        title={project.name}
        lead={
          <Link className="link" prefetch={false} href={publicPath}>
            {project.status === 'draft' ? 'Preview, for who has this link' : 'As everybody sees it'}
          </Link>
        }
        aside={
          <span className="flex items-center gap-3">
            <Badge tone={state.tone}>{state.label}</Badge>
            <Link href={`${path}/edit`} prefetch={false} className={buttonClass('plain')}>
              Edit
            </Link>
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
          <Approvals project={project} mayAct={mayAct} />
          {project.status === 'draft' && (
            <Checklist ctx={ctx} project={project} aside={<SetupLink project={project} />} />
          )}
          <ProjectActions project={project} mayAct={mayAct} />
          {project.treasury !== null && project.status !== 'draft' && <Release project={project} mayAct={mayAct} />}
          <UnsoldRelease ctx={ctx} project={project} />
          <LockedVesting ctx={ctx} project={project} />
        </div>
        <div className="min-w-0 space-y-6">
          <Summary project={project} path={path} />
          <Lists {...{ ctx, project, mayAct }} actions={{ commit, upload, fromPlatformIds }} />
        </div>
      </div>
    </>
  );
}
