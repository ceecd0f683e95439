import { sql } from 'drizzle-orm';
import type { Database } from '#lib/base/db.ts';

/** As of a server that keeps what it is given, with the memory of a small one. */
export const DATABASE_SETTINGS = [
  'fsync=on',
  'synchronous_commit=on',
  'full_page_writes=on',
  'shared_buffers=1GB',
  'max_wal_size=4GB',
  'shared_preload_libraries=pg_stat_statements',
];

const SHOWN_CHARACTERS = 200;

/** What a statement has taken since the server began. */
interface Taken {
  query: string;
  calls: number;
  elapsedMs: number;
}
/** By the id of the statement. */
export type Statements = ReadonlyMap<string, Taken>;

export const countStatements = async ({ db }: Database): Promise<void> =>
  void (await db.execute(sql`create extension pg_stat_statements`));

export async function readStatements({ db }: Database): Promise<Statements> {
  const { rows } = await db.execute<{ id: string; query: string; calls: number; elapsed_ms: number }>(sql`
    select queryid::text as id, min(query) as query, sum(calls)::double precision as calls,
      sum(total_exec_time) as elapsed_ms
    from pg_stat_statements(true) as s join pg_database as d on d.oid = s.dbid
    where d.datname = current_database() group by queryid`);
  return new Map(
    rows.map(({ id, query, calls, elapsed_ms }) => [
      id,
      { query: query.replaceAll(/\s+/g, ' ').trim().slice(0, SHOWN_CHARACTERS), calls, elapsedMs: elapsed_ms },
    ]),
  );
}

/** A statement over the whole run, and what one call of it took in the first part and in the last. */
export interface StatementLine extends Taken {
  firstMs: number | null;
  lastMs: number | null;
  /** Of the time in all statements of the last part. */
  lastShare: number;
}

const between = (before: Statements, after: Statements, id: string): { calls: number; elapsedMs: number } => ({
  calls: (after.get(id)?.calls ?? 0) - (before.get(id)?.calls ?? 0),
  elapsedMs: (after.get(id)?.elapsedMs ?? 0) - (before.get(id)?.elapsedMs ?? 0),
});
const mean = ({ calls, elapsedMs }: { calls: number; elapsedMs: number }) => (calls === 0 ? null : elapsedMs / calls);

/** Those that took the most time, over what was read at the beginning and end of the first and of the last part. */
export function slowest(
  first: { from: Statements; to: Statements },
  last: { from: Statements; to: Statements },
): StatementLine[] {
  const ids = [...last.to.keys()];
  const ofLast = new Map(ids.map((id) => [id, between(last.from, last.to, id)]));
  const lastMs = [...ofLast.values()].reduce((sum, { elapsedMs }) => sum + elapsedMs, 0);
  return ids
    .map((id) => {
      const lately = ofLast.get(id) ?? { calls: 0, elapsedMs: 0 };
      return {
        query: last.to.get(id)?.query ?? '',
        ...between(first.from, last.to, id),
        firstMs: mean(between(first.from, first.to, id)),
        lastMs: mean(lately),
        lastShare: lately.elapsedMs / lastMs,
      };
    })
    .sort((a, b) => b.elapsedMs - a.elapsedMs);
}

export interface TableLine {
  table: string;
  rows: number;
  bytes: number;
  indexBytes: number;
}
export interface IndexLine {
  index: string;
  bytes: number;
  scans: number;
}

/** Every table with a megabyte or more, and every index of that size, the largest first. */
export async function readSizes({ db }: Database): Promise<{ tables: TableLine[]; indexes: IndexLine[] }> {
  await db.execute(sql`select pg_stat_force_next_flush()`);
  const tables = await db.execute<{ table: string; rows: number; bytes: number; index_bytes: number }>(sql`
    select relname as table, n_live_tup::double precision as rows, pg_table_size(relid)::double precision as bytes,
      pg_indexes_size(relid)::double precision as index_bytes
    from pg_stat_user_tables where pg_total_relation_size(relid) >= 1048576 order by pg_total_relation_size(relid) desc`);
  const indexes = await db.execute<{ index: string; bytes: number; scans: number }>(sql`
    select indexrelname as index, pg_relation_size(indexrelid)::double precision as bytes,
      idx_scan::double precision as scans
    from pg_stat_user_indexes where pg_relation_size(indexrelid) >= 1048576 order by pg_relation_size(indexrelid) desc`);
  return {
    tables: tables.rows.map(({ index_bytes: indexBytes, ...rest }) => ({ ...rest, indexBytes })),
    indexes: indexes.rows.map((row) => ({ ...row })),
  };
}
