import { asc, eq } from 'drizzle-orm';
import { tiers } from '#drizzle/schema/sale.ts';
import type { Ctx } from '#lib/ctx.ts';
import { type FieldError, PlatformError } from '#lib/platform/errors.ts';
import { projectNotFound } from '../projects/get-project.ts';
import { findProject } from '../projects/project-resource.ts';
import { termsOf } from '../projects/terms.ts';
import { readLaunchFacts } from './launch-checklist.ts';
import { assertLaunchable } from './launch-readiness.ts';

/**
 * What still stands between a draft and its launch, by the very check that the launch makes; empty when it can go.
 * Throws `project_not_found`, `ledger_unavailable`.
 */
export async function readLaunchChecklist(ctx: Ctx, projectId: string): Promise<FieldError[]> {
  const row = await findProject(ctx.db, projectId);
  if (row === null) throw projectNotFound();
  const tierRows = await ctx.db.select().from(tiers).where(eq(tiers.projectId, row.id)).orderBy(asc(tiers.tier));
  const launch = { ...termsOf(row, tierRows), tierRows, facts: await readLaunchFacts(ctx, row) };
  try {
    await assertLaunchable(ctx.db, ctx.clock.nowMs(), row, launch);
    return [];
  } catch (err) {
    if (err instanceof PlatformError && err.code === 'launch_not_ready') return err.errors;
    throw err;
  }
}
