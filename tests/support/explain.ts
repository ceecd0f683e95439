import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#lib/base/db.ts';

interface PlanNode {
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  Plans?: PlanNode[];
}

/** Rows that a node and those beneath it gave or threw away, over all its loops. */
const rowsOf = (node: PlanNode): number => {
  const handled =
    (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0);
  return handled * (node['Actual Loops'] ?? 1) + (node.Plans ?? []).reduce((sum, plan) => sum + rowsOf(plan), 0);
};

/**
 * The database, with each statement run under EXPLAIN ANALYZE: what it writes is written, and it gives no rows. `rowsHandled()`
 * is how many rows the plans went through in all; unlike time it does not depend on the machine.
 */
export function explainedDb(db: Db): { db: Db; rowsHandled(): number } {
  let total = 0;
  const execute = async (statement: SQL) => {
    const { rows } = await db.execute<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      sql`explain (analyze, timing off, format json) ${statement}`,
    );
    for (const row of rows) total += rowsOf(row['QUERY PLAN'][0].Plan);
    return { rows: [], rowCount: 0 };
  };
  return { db: { execute } as unknown as Db, rowsHandled: () => total };
}

/** Rows of `table` that `work` has the database fetch, by index or not, in the one transaction that it is given. */
export const rowsFetched = (db: Db, table: string, work: (tx: Db) => Promise<unknown>): Promise<number> =>
  db.transaction(async (tx) => {
    // Parallel workers would count for themselves.
    await tx.execute(sql`set local max_parallel_workers_per_gather = 0`);
    const fetched = async () => {
      const { rows } = await tx.execute<{ fetched: number }>(sql`
        select (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::float8 as fetched
        from pg_stat_xact_user_tables where relname = ${table}`);
      return rows[0]?.fetched ?? 0;
    };
    // What the connection did before may not have been handed over yet.
    const before = await fetched();
    await work(tx as unknown as Db);
    return (await fetched()) - before;
  });
