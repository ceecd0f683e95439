import { and, eq, isNull } from 'drizzle-orm';
import { projects } from '#drizzle/schema/sale.ts';
import { idPattern } from '#lib/base/ids.ts';
import type { Actor, Ctx } from '#lib/ctx.ts';
import { projectNotFound } from './project-not-found.ts';

const ID_FORM = idPattern('proj');

/**
 * Throws `project_not_found` unless the project is the member's tenant's: what is another's does not exist, nor does a draft
 * that was deleted. A project never changes its tenant, so what is checked once holds for the whole request.
 */
export async function requireOwnProject(
  ctx: Pick<Ctx, 'db'>,
  { tenantId }: Extract<Actor, { kind: 'member' }>,
  id: unknown,
): Promise<void> {
  if (typeof id !== 'string' || !ID_FORM.test(id)) throw projectNotFound();
  const [own] = await ctx.db
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.id, id), eq(projects.tenantId, tenantId), isNull(projects.deletedAt)));
  if (own === undefined) throw projectNotFound();
}
