import { eq } from 'drizzle-orm';
import { projects } from '#drizzle/schema/sale.ts';
import type { Db, Tx } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';

/**
 * Throws `project_not_found` that names the field: with an id that is mistaken nothing would be found, and look as if
 * nothing waited.
 */
export async function requireProject(db: Db | Tx, field: string, projectId: string | undefined): Promise<void> {
  if (projectId === undefined) return;
  const known = await db.select({ id: projects.id }).from(projects).where(eq(projects.id, projectId));
  if (known.length === 0) throw new PlatformError('project_not_found', `${field}: there is no ${projectId}`);
}
