import { sql } from 'drizzle-orm';
import type { Db } from '#lib/base/db.ts';

/** Every table that the intake fills, parents before children. */
const TABLES = ['payments', 'investments', 'allocations', 'payouts', 'events', 'deliveries'] as const;

/**
 * How long plain COPY takes for the very rows that the intake wrote, into tables with the same columns, constraints and
 * indexes: the limit that no row-by-row logic can beat. Milliseconds.
 */
export async function copySameRows(db: Db, folder: string): Promise<{ elapsedMs: number; rows: number }> {
  for (const table of TABLES) {
    await db.execute(sql.raw(`copy ${table} to '${folder}/${table}.copy' (format binary)`));
    await db.execute(sql.raw(`create table copied_${table} (like ${table} including all)`));
  }
  const startedAt = performance.now();
  let rows = 0;
  for (const table of TABLES) {
    const result = await db.execute(sql.raw(`copy copied_${table} from '${folder}/${table}.copy' (format binary)`));
    rows += result.rowCount ?? 0;
  }
  return { elapsedMs: performance.now() - startedAt, rows };
}
