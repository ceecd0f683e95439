import type { Metadata } from 'next';
import Link from 'next/link';
import { listProjects } from '#lib/sales/projects/list-projects.ts';
import { buttonClass } from '../../_ui/button.tsx';
import { Empty } from '../../_ui/empty.tsx';
import { PageHead } from '../../_ui/page-head.tsx';
import { operatorCtx } from '../session.ts';
import { ProjectTable } from './project-table.tsx';

export const metadata: Metadata = { title: 'Projects', robots: { index: false } };

const PAGE = 50;

export default async function ProjectsPage({ searchParams }: { searchParams: Promise<{ cursor?: string }> }) {
  const ctx = await operatorCtx();
  const { cursor } = await searchParams;
  const { projects, next_cursor } = await listProjects(ctx, { cursor, limit: PAGE, withDrafts: true });
  return (
    <>
      <PageHead
        title="Projects"
        lead="Drafts and sales. A launch is a transaction on the ledger: after it, the terms cannot change."
        aside={
          <Link href="/operator/projects/new" prefetch={false} className={buttonClass('primary')}>
            New project
          </Link>
        }
      />
      {projects.length === 0 ? (
        <Empty title="No project yet" />
      ) : (
        <ProjectTable projects={projects} nowMs={ctx.clock.nowMs()} path="/operator/projects" />
      )}
      {next_cursor !== null && (
        <p className="mt-8 text-center text-sm">
          <Link className="link" prefetch={false} href={`/operator/projects?cursor=${encodeURIComponent(next_cursor)}`}>
            Older
          </Link>
        </p>
      )}
    </>
  );
}
