import { setTimeout as pause } from 'node:timers/promises';
import { drizzle } from 'drizzle-orm/node-postgres';
import { Pool } from 'pg';
import { isDatabaseUnavailable, retryLockConflicts } from '#lib/base/database-errors.ts';
import type { Database, Db } from '#lib/base/db.ts';

const CONNECTIONS = 3;
const ASK_AGAIN_MS = 100;
const PATIENCE_MS = 120_000;

/** Asks again while the database is away: on a starved machine a connection opens late, or is cut off meanwhile. */
async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  const endsAt = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!isDatabaseUnavailable(error) || performance.now() > endsAt) throw error;
      await pause(ASK_AGAIN_MS);
    }
  }
}

/**
 * The campaign's own connections to a database. What it sees and does there is no part of what is tried: no statement fails
 * because the machine is slow, and one whose answer was lost is made once more.
 */
export function openOwnDatabase(url: string): Database & { url: string } {
  const pool = new Pool({ connectionString: url, max: CONNECTIONS, allowExitOnIdle: true });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => void client.on('error', () => undefined));
  const query = pool.query.bind(pool) as (...given: unknown[]) => Promise<unknown>;
  Object.assign(pool, {
    query: (...given: unknown[]): unknown =>
      typeof given.at(-1) === 'function' ? query(...given) : patiently(() => query(...given)),
  });
  const db = drizzle(pool, { casing: 'snake_case' }) as Db;
  const transaction = db.transaction.bind(db);
  const retried: Db['transaction'] = (work, config) =>
    retryLockConflicts(() => patiently(() => transaction(work, config)));
  return { url, db: Object.assign(db, { transaction: retried }), close: () => pool.end() };
}
