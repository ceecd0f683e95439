import type { ListResource } from '@tranche/verifier/published.ts';
import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm';
import { actions, lists, projects } from '#drizzle/schema/sale.ts';
import { toIsoOrNull } from '#lib/base/clock.ts';
import { decodeCursor, toPage } from '#lib/base/cursor.ts';
import type { Db } from '#lib/base/db.ts';
import { env } from '#lib/base/env.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import { findProject } from '../projects/project-resource.ts';

/** Versions of a project's allowlist, newest first. Drafts are shown to administrators and to members of the sale’s tenant only. Throws `project_not_found`. */
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
              (coalesce((select created_at from lists where id = ${after.id} and project_id = ${input.projectId}), ${after.at}), ${after.id})`,
      ),
    )
    .orderBy(desc(lists.createdAt), desc(lists.id))
    .limit(input.limit + 1);
  const page = toPage(rows, input.limit, (row) => ({ at: row.createdAt, id: row.id }));
  return { lists: await loadListResources(ctx.db, page.rows), next_cursor: page.next };
}

export type ListRow = typeof lists.$inferSelect;

export const listNotFound = (): PlatformError =>
  new PlatformError('not_found', 'There is no such allowlist version of this project.');

/** One version of a project. Throws `not_found`. */
export async function findList(db: Db, projectId: string, listId: string): Promise<ListRow> {
  const [row] = await db.select().from(lists).where(ofProject(projectId, listId));
  if (row === undefined) throw listNotFound();
  return row;
}

/** The version under both ids: one of another project does not exist here. */
export const ofProject = (projectId: string, listId: string) =>
  and(eq(lists.id, listId), eq(lists.projectId, projectId));

const entriesUrl = (row: ListRow): string =>
  new URL(`/api/projects/${row.projectId}/lists/${row.id}`, env().BASE_URL).href;

/** Resources for rows already read, all of one project, in their order: one more query for any number of versions. */
async function loadListResources(db: Db, rows: readonly ListRow[]): Promise<ListResource[]> {
  const hashes = rows.flatMap((row) => row.hash ?? []);
  const applied =
    hashes.length === 0
      ? []
      : await db
          .select({
            hash: actions.listHash,
            txHash: actions.txHash,
            ledgerIndex: actions.ledgerIndex,
            closedAt: actions.closedAt,
            inForce: sql<boolean>`${projects.listHash} is not distinct from ${actions.listHash}`,
          })
          .from(actions)
          .innerJoin(projects, eq(projects.id, actions.projectId))
          .where(
            and(
              eq(actions.projectId, rows[0]?.projectId ?? ''),
              eq(actions.action, 'list'),
              eq(actions.status, 'applied'),
              inArray(actions.listHash, hashes),
            ),
          )
          .orderBy(asc(actions.ledgerIndex), asc(actions.transactionIndex));
  const actionsOf = Map.groupBy(applied, (action) => action.hash);
  return rows.map((row) => {
    const own = row.hash === null ? [] : (actionsOf.get(row.hash) ?? []);
    return {
      id: row.id,
      project_id: row.projectId,
      version: row.version,
      status: row.status,
      entries: row.entries,
      hash: row.hash,
      in_force: own.some((action) => action.inForce),
      anchors: own.flatMap(({ txHash, ledgerIndex, closedAt }) =>
        ledgerIndex === null || closedAt === null
          ? []
          : { transaction_hash: txHash, ledger_index: ledgerIndex, applied_at: closedAt.toISOString() },
      ),
      url: row.status === 'committed' ? entriesUrl(row) : null,
      committed_at: toIsoOrNull(row.committedAt),
      created_at: row.createdAt.toISOString(),
    };
  });
}

/** The resource of one row already read. */
export async function loadListResource(db: Db, row: ListRow): Promise<ListResource> {
  const [resource] = await loadListResources(db, [row]);
  if (resource === undefined) throw listNotFound();
  return resource;
}
