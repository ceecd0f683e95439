import { allowedMoves } from '@tranche/rules/types.ts';
import { eq, sql } from 'drizzle-orm';
import { lists, projects } from '#drizzle/schema/sale.ts';
import type { Tx } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import type { Ctx } from '#lib/ctx.ts';
import { projectNotFound } from '../projects/project-resource.ts';
import type { ListRow } from './list-resource.ts';

export const MAX_DRAFTS = 5;
/** Of one version. */
export const MAX_ENTRIES = 100_000;

/**
 * Inserts an empty draft, numbered after the last version. Throws `project_not_found`, `transition_not_allowed` for a sale
 * that is over, `limit_reached` when the project has its drafts already.
 */
export async function draftList(tx: Tx, ctx: Pick<Ctx, 'random'>, projectId: string): Promise<ListRow> {
  // The lock counts: two requests must not take one number, nor both be the last draft.
  const [project] = await tx
    .select({ status: projects.status })
    .from(projects)
    .where(eq(projects.id, projectId))
    .for('no key update');
  if (project === undefined) throw projectNotFound();
  if (!allowedMoves(project.status).includes('list')) {
    throw new PlatformError(
      'transition_not_allowed',
      `The project is ${project.status}: its allowlist cannot change any more.`,
    );
  }
  const [standing] = await tx
    .select({
      drafts: sql<number>`(count(*) filter (where ${lists.status} = 'draft'))::integer`,
      lastVersion: sql<number>`coalesce(max(${lists.version}), 0)`,
    })
    .from(lists)
    .where(eq(lists.projectId, projectId));
  const { drafts = 0, lastVersion = 0 } = standing ?? {};
  if (drafts >= MAX_DRAFTS) {
    throw new PlatformError(
      'limit_reached',
      `A project has at most ${MAX_DRAFTS} drafts of its allowlist. Commit or discard one first.`,
    );
  }
  const [row] = await tx
    .insert(lists)
    .values({ id: newId('list', ctx.random), projectId, version: lastVersion + 1 })
    .returning();
  if (row === undefined) throw new Error('The draft was not returned');
  return row;
}
