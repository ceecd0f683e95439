import Link from 'next/link';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { saleStateOf } from '../../_data/sale-state.ts';
import { Xrp } from '../../_ui/amounts.tsx';
import { Badge } from '../../_ui/badge.tsx';
import { Card } from '../../_ui/card.tsx';
import { formatCount } from '../../_ui/format.ts';
import { Cell, Table } from '../../_ui/table.tsx';

/** Sales side by side, each with a link to its page beneath `path`. */
export const ProjectTable = ({
  projects,
  nowMs,
  path,
}: {
  projects: readonly ProjectResource[];
  nowMs: number;
  path: string;
}) => (
  <Card>
    <Table caption="Projects" columns={['Name', 'State', 'Raised>', 'Investors>', 'Tiers full>']}>
      {projects.map((project) => {
        const state = saleStateOf(project, nowMs);
        return (
          <tr key={project.id}>
            <Cell>
              <Link className="link font-medium" prefetch={false} href={`${path}/${project.id}`}>
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
  </Card>
);
