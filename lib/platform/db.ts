import { drizzle as drizzlePg, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres';
import type { PgDatabase } from 'drizzle-orm/pg-core';
import { Pool } from 'pg';
import { env } from './env.ts';

/** A database or a transaction: verbs take this and never know which driver is below. */
export type Db = PgDatabase<NodePgQueryResultHKT, Record<string, never>>;
/** The handle inside `db.transaction(async (tx) => …)`. */
export type Tx = Db;

export interface Database {
  db: Db;
  close(): Promise<void>;
}

const HOSTED = /(\.neon\.tech|\.vercel-storage\.com)$/;

/**
 * Opens a pool. A Neon or Vercel host uses @vercel/postgres (WebSocket, transaction-mode pooling: no session state
 * between statements), any other the TCP driver; both speak through drizzle (design section 9).
 */
export async function openDatabase(url: string, maxConnections: number): Promise<Database> {
  if (HOSTED.test(new URL(url).hostname)) {
    const [{ createPool }, { drizzle }] = await Promise.all([
      import('@vercel/postgres'),
      import('drizzle-orm/vercel-postgres'),
    ]);
    const pool = createPool({ connectionString: url, max: maxConnections });
    return { db: drizzle(pool, { casing: 'snake_case' }) as Db, close: () => pool.end() };
  }
  const pool = new Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 10_000,
    allowExitOnIdle: true,
  });
  // An idle connection that the server drops must not take the process down; the next query opens another.
  pool.on('error', () => undefined);
  return { db: drizzlePg(pool, { casing: 'snake_case' }), close: () => pool.end() };
}

let shared: Promise<Database> | undefined;

/** The process-wide pool, opened on first use. */
export async function database(): Promise<Db> {
  shared ??= openDatabase(env().POSTGRES_URL, env().POSTGRES_POOL_SIZE);
  return (await shared).db;
}
