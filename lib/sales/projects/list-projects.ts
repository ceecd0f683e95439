import type { ProjectStatus } from '@tranche/rules/types.ts';
import { and, eq, ne, sql } from 'drizzle-orm';
import { projects } from '#drizzle/schema/sale.ts';
import { decodeCursor, toPage } from '#lib/base/cursor.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { ProjectResource } from '../schemas.ts';
import { loadProjectResources, readProjects } from './project-resource.ts';

/** Projects, newest first. Drafts are shown to administrators and to members of their tenant only. */
export async function listProjects(
  ctx: Ctx,
  input: {
    cursor?: string | undefined;
    limit: number;
    status?: ProjectStatus | undefined;
    withDrafts: boolean;
    /** Only those of this tenant. */
    tenantId?: string;
  },
): Promise<{ projects: ProjectResource[]; next_cursor: string | null }> {
  const after = decodeCursor(input.cursor, 'proj');
  const rows = await readProjects(
    ctx.db,
    and(
      input.tenantId === undefined ? undefined : eq(projects.tenantId, input.tenantId),
      input.withDrafts ? undefined : ne(projects.status, 'draft'),
      input.status === undefined ? undefined : eq(projects.status, input.status),
      after === null
        ? undefined
        : // The time is read from the row itself: a cursor's milliseconds would point before it.
          sql`(${projects.createdAt}, ${projects.id}) < (
            (select created_at from projects where id = ${after.id}
              and (${input.tenantId ?? null}::text is null or tenant_id = ${input.tenantId ?? null})), ${after.id})`,
    ),
    input.limit + 1,
  );
  const page = toPage(rows, input.limit, ({ row }) => ({ at: row.createdAt, id: row.id }));
  return { projects: await loadProjectResources(ctx.db, page.rows), next_cursor: page.next };
}
