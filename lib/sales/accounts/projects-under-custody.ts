import type { ProjectStatus } from '@tranche/rules/types.ts';
import { desc, isNotNull } from 'drizzle-orm';
import { projects } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/base/db.ts';

export interface ProjectUnderCustody {
  id: string;
  name: string;
  status: ProjectStatus;
  depositAddress: string;
}

/** Drafts and sales whose terms name who must sign, newest first. */
export const projectsUnderCustody = (db: Db): Promise<ProjectUnderCustody[]> =>
  db
    .select({
      id: projects.id,
      name: projects.name,
      status: projects.status,
      depositAddress: projects.depositAddress,
    })
    .from(projects)
    .where(isNotNull(projects.custody))
    .orderBy(desc(projects.createdAt), desc(projects.id));
