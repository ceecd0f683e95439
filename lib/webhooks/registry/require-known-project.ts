import { eq } from 'drizzle-orm';
import { projects } from '#drizzle/schema/sale.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';

/**
 * Throws `invalid_request` naming `project_id` unless the project is there; a draft is there for administrators only,
 * and looks to anybody else like one that is not.
 */
export async function requireKnownProject({ db, actor }: Ctx, projectId: string | null | undefined): Promise<void> {
  if (projectId == null) return;
  const [project] = await db.select({ status: projects.status }).from(projects).where(eq(projects.id, projectId));
  if (project !== undefined && (project.status !== 'draft' || actor.kind === 'administrator')) return;
  const message = 'is no launched project: GET /api/projects lists them; null means all';
  throw new PlatformError('invalid_request', `project_id: ${message}.`, {
    errors: [{ field: 'project_id', message }],
  });
}
