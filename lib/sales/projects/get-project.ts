import { eq } from 'drizzle-orm';
import { projects } from '#drizzle/schema/sale.ts';
import { idPattern } from '#lib/base/ids.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { ProjectResource } from '../schemas.ts';
import { projectNotFound, showProject } from './project-resource.ts';
import { SLUG_FORM } from './slug-form.ts';

/** What has another form is in no table, and no query shall carry it: anything may stand in an address. */
const ID_FORM = idPattern('proj');

/** One project. A draft is not listed, but its unguessable id opens it as a preview. Throws `project_not_found`. */
export async function getProject(ctx: Ctx, id: string): Promise<ProjectResource> {
  if (!ID_FORM.test(id)) throw projectNotFound();
  const resource = await showProject(ctx.db, eq(projects.id, id));
  if (resource === null) throw projectNotFound();
  return resource;
}

/** One project by its slug, or by its id; a draft opens by its id alone, since a slug can be guessed. Throws as `getProject`. */
export async function getProjectByName(ctx: Ctx, slugOrId: string): Promise<ProjectResource> {
  if (slugOrId.startsWith('proj_')) return getProject(ctx, slugOrId);
  if (!SLUG_FORM.test(slugOrId)) throw projectNotFound();
  const resource = await showProject(ctx.db, eq(projects.slug, slugOrId));
  if (resource === null || resource.status === 'draft') throw projectNotFound();
  return resource;
}
