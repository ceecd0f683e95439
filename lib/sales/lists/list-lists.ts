import type { ListResource } from '@tranche/verifier/published.ts';
import { and, desc, eq, sql } from 'drizzle-orm';
import { lists } from '#drizzle/schema/sale.ts';
import { decodeCursor, toPage } from '#lib/base/cursor.ts';
import type { Ctx } from '#lib/ctx.ts';
import { findProject } from '../projects/project-resource.ts';
import { loadListResources } from './list-resource.ts';

/** Versions of a project's allowlist, newest first. Drafts are shown to administrators only. Throws `project_not_found`. */
export async function listLists(
  ctx: Ctx,
  input: { projectId: string; cursor?: string | undefined; limit: number; withDrafts: boolean },
): Promise<{ lists: ListResource[]; next_cursor: string | null }> {
  const after = decodeCursor(input.cursor, 'list');
  await findProject(ctx.db, input.projectId);
  const rows = await ctx.db
    .select()
    .from(lists)
    .where(
      and(
        eq(lists.projectId, input.projectId),
        input.withDrafts ? undefined : eq(lists.status, 'committed'),
        after === null
          ? undefined
          : // Read from the row, because a cursor's milliseconds would point before it; a draft may have gone since.
            sql`(${lists.createdAt}, ${lists.id}) <
              (coalesce((select created_at from lists where id = ${after.id}), ${after.at}), ${after.id})`,
      ),
    )
    .orderBy(desc(lists.createdAt), desc(lists.id))
    .limit(input.limit + 1);
  const page = toPage(rows, input.limit, (row) => ({ at: row.createdAt, id: row.id }));
  return { lists: await loadListResources(ctx.db, page.rows), next_cursor: page.next };
}
