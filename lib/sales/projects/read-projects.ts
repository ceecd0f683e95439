import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { moves, projects } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/base/db.ts';
import type { ProjectResource } from '../schemas.ts';
import { loadProjectResources } from './project-resource.ts';

/**
 * Projects, newest first, each read with its open move in one statement: read apart, a move that is applied in between
 * would be gone before its effect shows, and look as if it had expired.
 */
export async function readProjects(db: Db, where: SQL | undefined, limit: number) {
  const open = db
    .select({ move: moves.move, txHash: moves.txHash })
    .from(moves)
    .where(and(eq(moves.projectId, projects.id), inArray(moves.status, ['submitted', 'seen'])))
    .orderBy(desc(moves.createdAt))
    .limit(1)
    .as('open_move');
  const rows = await db
    .select({ row: projects, move: open.move, txHash: open.txHash })
    .from(projects)
    .leftJoinLateral(open, sql`true`)
    .where(where)
    .orderBy(desc(projects.createdAt), desc(projects.id))
    .limit(limit);
  return rows.map(({ row, move, txHash }) => ({
    row,
    openMove: move === null || txHash === null ? null : { move, txHash },
  }));
}

async function showOne(db: Db, where: SQL): Promise<ProjectResource | null> {
  const [resource] = await loadProjectResources(db, await readProjects(db, where, 1));
  return resource ?? null;
}

/** One project as the API shows it, or null. */
export const showProject = (db: Db, id: string) => showOne(db, eq(projects.id, id));
export const showProjectBySlug = (db: Db, slug: string) => showOne(db, eq(projects.slug, slug));
