import { type SQL, sql } from 'drizzle-orm';
import { holderPages, holderSyncs, holdersByAccount, holdersByRank } from '#drizzle/schema/holders.ts';
import type { Ctx } from '#lib/ctx.ts';

type Table = typeof holderPages | typeof holdersByRank | typeof holdersByAccount;

/** Each has some hundreds of holders. */
const ROWS_A_STATEMENT = 100;

/**
 * Removes the pages of synchronisations that run no more, and the holders of those that were abandoned or superseded, in
 * bounded statements, until none is left or the deadline has passed; one statement at least. Their rows with the statistics
 * stay. True when some are left.
 */
export async function pruneBalances(ctx: Ctx, deadlineMs: number): Promise<boolean> {
  const isLate = () => ctx.clock.nowMs() >= deadlineMs;
  const removeAll = async (table: Table, which: SQL): Promise<boolean> => {
    while (await removeRows(ctx, table, which)) if (isLate()) return false;
    return true;
  };
  const ended = sql`exists (select from ${holderSyncs} as s where s.id = old.sync_id and s.status <> 'running')`;
  if (!(await removeAll(holderPages, ended))) return true;
  for (;;) {
    const syncId = await oldSnapshot(ctx);
    if (syncId === null) return false;
    const its = sql`old.sync_id = ${syncId}`;
    if (!(await removeAll(holdersByRank, its)) || !(await removeAll(holdersByAccount, its))) return true;
    await ctx.db.execute(sql`update ${holderSyncs} set pruned = true where id = ${syncId}`);
    if (isLate()) return (await oldSnapshot(ctx)) !== null;
  }
}

async function oldSnapshot(ctx: Ctx): Promise<string | null> {
  const { rows } = await ctx.db.execute<{ id: string }>(sql`
    select s.id from ${holderSyncs} as s
    where not s.pruned and (s.status = 'abandoned' or (s.status = 'complete' and exists (
      select from ${holderSyncs} as newer
      where newer.token = s.token and newer.status = 'complete' and newer.completed_at > s.completed_at)))
    limit 1`);
  return rows[0]?.id ?? null;
}

/** True when some may be left. By place, not by a join, whose plan would be quadratic for a synchronisation new to the planner. */
async function removeRows(ctx: Ctx, table: Table, which: SQL): Promise<boolean> {
  const { rowCount } = await ctx.db.execute(sql`
    delete from ${table} where ctid = any(array(select old.ctid from ${table} as old where ${which} limit ${ROWS_A_STATEMENT}))`);
  return rowCount === ROWS_A_STATEMENT;
}
