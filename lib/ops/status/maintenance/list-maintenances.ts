import { and, desc, isNotNull, isNull, sql } from 'drizzle-orm';
import { maintenances } from '#drizzle/schema/jobs.ts';
import { decodeCursor, toPage } from '#lib/base/cursor.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { Maintenance } from './contracts.ts';
import { toMaintenance } from './maintenance-resource.ts';

/** The open maintenance, if there is one, and a page of those that have ended, the newest first. */
export async function listMaintenances(
  { db }: Ctx,
  query: { cursor?: string | undefined; limit: number },
): Promise<{ current: Maintenance | null; past: Maintenance[]; next_cursor: string | null }> {
  const after = decodeCursor(query.cursor, 'mnt');
  const [[open], rows] = await Promise.all([
    db.select().from(maintenances).where(isNull(maintenances.endedAt)),
    db
      .select()
      .from(maintenances)
      .where(
        and(
          isNotNull(maintenances.endedAt),
          after === null
            ? undefined
            : sql`(${maintenances.startedAt}, ${maintenances.id}) < (${after.at.toISOString()}::timestamptz, ${after.id})`,
        ),
      )
      .orderBy(desc(maintenances.startedAt), desc(maintenances.id))
      .limit(query.limit + 1),
  ]);
  const { rows: shown, next } = toPage(rows, query.limit, (row) => ({ at: row.startedAt, id: row.id }));
  return {
    current: open === undefined ? null : toMaintenance(open),
    past: shown.map(toMaintenance),
    next_cursor: next,
  };
}
