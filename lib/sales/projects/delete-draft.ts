import { and, eq, sql } from 'drizzle-orm';
import { lists, projects } from '#drizzle/schema/sale.ts';
import { appendAudit } from '#lib/audit.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import { isLaunchOpen } from './patch-project.ts';
import { findProject, lockProject } from './project-resource.ts';

/**
 * Deletes a draft for everybody. Its row stays, without terms and slug: its tag was given out, and must never be another
 * sale's. Throws `project_not_found`, and `conflict` once the sale was launched, or while a launch is pending.
 */
export async function deleteDraft(ctx: Ctx, input: { id: string; reason?: string | undefined }): Promise<void> {
  const found = await findProject(ctx.db, input.id);
  await ctx.db.transaction(async (tx) => {
    const { id, status, name } = await lockProject(tx, found);
    if (status !== 'draft') {
      throw new PlatformError('conflict', `The project is ${status}: only a draft can be deleted.`);
    }
    if (await isLaunchOpen(tx, id)) {
      throw new PlatformError('conflict', 'A launch is pending. Try again when it is validated or expired.');
    }
    await tx.delete(lists).where(and(eq(lists.projectId, id), eq(lists.status, 'draft')));
    // Without terms no launch of it has an effect, whoever signs one.
    await tx
      .update(projects)
      .set({ deletedAt: sql`now()`, slug: id, terms: null, termsHash: null })
      .where(eq(projects.id, id));
    await appendAudit(tx, ctx, {
      action: 'project.delete',
      subject: id,
      reason: input.reason ?? 'draft deleted',
      before: { name, status },
    });
  });
}
