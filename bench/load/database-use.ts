import { sql } from 'drizzle-orm';
import type { Database } from '#lib/base/db.ts';

/** What the database server has done since it began. */
export interface DatabaseUse {
  /** Time in which it executed statements, summed over connections. */
  activeMs: number;
  sizeBytes: number;
}

/** The server tells its counts a second late; each connection tells its own when it is asked to. */
export async function databaseUse({ db }: Database): Promise<DatabaseUse> {
  await db.execute(sql`select pg_stat_force_next_flush()`);
  const result = await db.execute<{ active_ms: number; size: number }>(sql`
    select active_time::double precision as active_ms, pg_database_size(current_database())::double precision as size
    from pg_stat_database where datname = current_database()`);
  const [row] = result.rows;
  return { activeMs: row?.active_ms ?? 0, sizeBytes: row?.size ?? 0 };
}
