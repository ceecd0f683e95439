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
  /** Pages of tables and indexes that were read, from memory or not: what else the machine does changes nothing in it. */
  blocks: number;
}
/** By the id of the statement. */
export type Statements = ReadonlyMap<string, Taken>;

export const countStatements = async ({ db }: Database): Promise<void> =>
  void (await db.execute(sql`create extension pg_stat_statements`));

export async function readStatements({ db }: Database): Promise<Statements> {
  const { rows } = await db.execute<{
    id: string;
    query: string;
    calls: number;
    elapsed_ms: number;
    blocks: number;
  }>(sql`
    select queryid::text as id, min(query) as query, sum(calls)::double precision as calls,
      sum(total_exec_time) as elapsed_ms, sum(shared_blks_hit + shared_blks_read)::double precision as blocks
    from pg_stat_statements(true) as s join pg_database as d on d.oid = s.dbid
    where d.datname = current_database() group by queryid`);
  return new Map(
    rows.map(({ id, query, calls, elapsed_ms: elapsedMs, blocks }) => [
      id,
      { query: query.replaceAll(/\s+/g, ' ').trim().slice(0, SHOWN_CHARACTERS), calls, elapsedMs, blocks },
    ]),
  );
}

/** What one call of a statement took in a part of the run. */
interface Each {
  ms: number;
  blocks: number;
}

/** A statement over the whole run; `first` and `last` are null where that part has no call of it. */
export interface StatementLine extends Taken {
  first: Each | null;
  last: Each | null;
  /** Of the time in all statements of the last part. */
  lastShare: number;
}

interface Span {
  from: Statements;
  to: Statements;
}

function between({ from, to }: Span, id: string): Taken {
  const [before, after] = [from.get(id), to.get(id)];
  return {
    query: after?.query ?? '',
    calls: (after?.calls ?? 0) - (before?.calls ?? 0),
    elapsedMs: (after?.elapsedMs ?? 0) - (before?.elapsedMs ?? 0),
    blocks: (after?.blocks ?? 0) - (before?.blocks ?? 0),
  };
}

const each = ({ calls, elapsedMs, blocks }: Taken): Each | null =>
  calls === 0 ? null : { ms: elapsedMs / calls, blocks: blocks / calls };

/** All statements, those first that took the most time from the beginning of the first part to the end of the last. */
export function slowest(first: Span, last: Span): StatementLine[] {
  const ids = [...last.to.keys()];
  const lastMs = ids.reduce((sum, id) => sum + between(last, id).elapsedMs, 0);
  return ids
    .map((id) => ({
      ...between({ from: first.from, to: last.to }, id),
      first: each(between(first, id)),
      last: each(between(last, id)),
      lastShare: between(last, id).elapsedMs / lastMs,
    }))
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
