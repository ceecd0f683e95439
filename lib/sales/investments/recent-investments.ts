import { and, eq, sql } from 'drizzle-orm';
import { investments } from '#drizzle/schema/sale.ts';
import { decodeCursor, toPage } from '#lib/base/cursor.ts';
import type { Ctx } from '#lib/ctx.ts';
import { findProject } from '../projects/project-resource.ts';
import type { InvestmentResource } from '../schemas.ts';
import { loadInvestmentResources } from './investment-resource.ts';
import { readInvestmentRows } from './read-investments.ts';

/** Investments in a project, whatever became of them, newest first. Throws `project_not_found`. */
export async function recentInvestments(
  ctx: Ctx,
  input: {
    project_id: string;
    status?: InvestmentResource['status'] | undefined;
    cursor?: string | undefined;
    limit: number;
  },
): Promise<{ investments: InvestmentResource[]; next_cursor: string | null }> {
  const after = decodeCursor(input.cursor, 'inv');
  await findProject(ctx.db, input.project_id);
  const rows = await readInvestmentRows(
    ctx,
    and(
      eq(investments.projectId, input.project_id),
      input.status === undefined ? undefined : eq(investments.status, input.status),
      after === null ? undefined : sql`(${investments.paidAt}, ${investments.id}) < (${after.at}, ${after.id})`,
    ),
    input.limit + 1,
  );
  const page = toPage(rows, input.limit, (row) => ({ at: row.investment.paidAt, id: row.investment.id }));
  return { investments: await loadInvestmentResources(ctx.db, page.rows), next_cursor: page.next };
}
