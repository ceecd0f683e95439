import type { Metadata } from 'next';
import Link from 'next/link';
import { listProjects } from '#lib/sales/projects/list-projects.ts';
import { saleStateOf } from '../../_data/sale-state.ts';
import { Xrp } from '../../_ui/amounts.tsx';
import { Badge } from '../../_ui/badge.tsx';
import { buttonClass } from '../../_ui/button.tsx';
import { Card } from '../../_ui/card.tsx';
import { Empty } from '../../_ui/empty.tsx';
import { formatCount } from '../../_ui/format.ts';
import { PageHead } from '../../_ui/page-head.tsx';
import { Cell, Table } from '../../_ui/table.tsx';
import { operatorCtx } from '../session.ts';

export const metadata: Metadata = { title: 'Projects', robots: { index: false } };

const PAGE = 50;

export default async function ProjectsPage({ searchParams }: { searchParams: Promise<{ cursor?: string }> }) {
  const ctx = await operatorCtx();
  const { cursor } = await searchParams;
  const { projects, next_cursor } = await listProjects(ctx, { cursor, limit: PAGE, withDrafts: true });
  const nowMs = ctx.clock.nowMs();
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
      <Card>
        {projects.length === 0 ? (
          <Empty title="No project yet" />
        ) : (
          <Table caption="Projects" columns={['Name', 'State', 'Raised>', 'Investors>', 'Tiers full>']}>
            {projects.map((project) => {
              const state = saleStateOf(project, nowMs);
              return (
                <tr key={project.id}>
                  <Cell>
                    <Link className="link font-medium" prefetch={false} href={`/operator/projects/${project.id}`}>
                      {project.name}
                    </Link>
                  </Cell>
                  <Cell>
                    <Badge tone={state.tone}>{state.label}</Badge>
                  </Cell>
                  <Cell isFigure>
                    <Xrp isExact value={project.progress.total_raised_xrp} />
                  </Cell>
                  <Cell isFigure>{formatCount(project.progress.total_investors)}</Cell>
                  <Cell isFigure>
                    {project.progress.tiers_completed} of {project.progress.total_tiers}
                  </Cell>
                </tr>
              );
            })}
          </Table>
        )}
      </Card>
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
