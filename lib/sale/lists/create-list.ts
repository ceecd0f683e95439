import { eq, sql } from 'drizzle-orm';
import { lists, projects } from '#drizzle/schema/sale.ts';
import { appendAudit } from '#lib/audit.ts';
import type { Ctx } from '#lib/ctx.ts';
import { PlatformError } from '#lib/platform/errors.ts';
import { newId } from '#lib/platform/ids.ts';
import { projectNotFound } from '../projects/get-project.ts';
import { allowedMoves } from '../rules/transitions.ts';
import type { ListResource } from './contracts.ts';
import { loadListResource } from './list-resource.ts';

export const MAX_DRAFTS = 5;

/**
 * Begins a new version as an empty draft, numbered after the last. Throws `project_not_found`, `transition_not_allowed`
 * for a sale that is over, `limit_reached` when the project has its drafts already.
 */
export async function createList(
  ctx: Ctx,
  input: { projectId: string; reason?: string | undefined },
): Promise<ListResource> {
  return ctx.db.transaction(async (tx) => {
    // The lock counts: two requests must not take one number, nor both be the last draft.
    const [project] = await tx
      .select({ status: projects.status })
      .from(projects)
      .where(eq(projects.id, input.projectId))
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
      .where(eq(lists.projectId, input.projectId));
    const { drafts = 0, lastVersion = 0 } = standing ?? {};
    if (drafts >= MAX_DRAFTS) {
      throw new PlatformError(
        'limit_reached',
        `A project has at most ${MAX_DRAFTS} drafts of its allowlist. Commit or discard one first.`,
      );
    }
    const [row] = await tx
      .insert(lists)
      .values({ id: newId('list', ctx.random), projectId: input.projectId, version: lastVersion + 1 })
      .returning();
    if (row === undefined) throw new Error('The draft was not returned');
    await appendAudit(tx, ctx, {
      action: 'list.create',
      subject: row.id,
      reason: input.reason ?? 'created',
      after: { project: row.projectId, version: row.version },
    });
    return loadListResource(tx, row);
  });
}
