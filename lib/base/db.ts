import type { EventEmitter } from 'node:events';
import { type SQL, sql } from 'drizzle-orm';
import { drizzle as drizzlePg, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres';
import type { PgDatabase } from 'drizzle-orm/pg-core';
import { Pool, type PoolClient } from 'pg';
import { isPreparedStatementLost, retryLockConflicts } from './database-errors.ts';
import { env } from './env.ts';
import { memoize } from './memoize.ts';
import { sha256Hex } from './secretbox.ts';

/** A connection of either driver. */
interface Connection {
  query: (...given: never[]) => unknown;
}

/**
 * Lets the statements of one connection wait for each other. Verbs read side by side with `Promise.all`, also within a
 * transaction, where all of them share a connection: pg warns of a statement that comes while another runs, and pg 9 is
 * going to refuse it. A statement that fails lets the next one go; one that finds the line empty is sent at once.
 */
function inLine(connection: Connection): void {
  const { query } = connection;
  let last: Promise<void> | null = null;
  Object.assign(connection, {
    query: (...given: unknown[]): unknown => {
      const send = (): unknown => Reflect.apply(query, connection, given);
      // The pool's own statements come one at a time, with a callback.
      if (typeof given.at(-1) === 'function') return send();
      const sent = last === null ? send() : last.then(send);
      const leave = (): void => {
        if (last === left) last = null;
      };
      const left = Promise.resolve(sent).then(leave, leave);
      last = left;
      return sent;
    },
  });
}

/**
 * Begins a statement that comes many times a second and always with the same text: a direct connection plans it once, and not
 * each time, which would cost more than carrying it out.
 */
export const plannedOnce: SQL = sql.raw('/* planned once */');

/** Whether a server still knows its prepared statements: behind a pooler it may be another one each time. */
class PreparedStatements {
  readonly #names = new Map<string, string>();
  #isLost = false;

  /** Names the statements that are to be planned once; without a name a statement is planned each time. */
  prepareOn(connection: Connection): void {
    const { query } = connection;
    Object.assign(connection, {
      query: (statement: unknown, ...given: unknown[]): unknown => {
        const named = this.#named(statement);
        const sent: unknown = Reflect.apply(query, connection, [named, ...given]);
        // When a transaction is run again after this error, the statement has no name any more.
        if (named !== statement && sent instanceof Promise) sent.catch((error: unknown) => this.#noteIfLost(error));
        return sent;
      },
    });
  }

  /**
   * Runs a whole transaction, or a statement that is one by itself: once more, and from then on without names, when the server
   * has lost one. It had failed with that, so nothing of its first run is in the database.
   */
  async send<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!this.#noteIfLost(error)) throw error;
      return work();
    }
  }

  #noteIfLost(error: unknown): boolean {
    const isLost = isPreparedStatementLost(error);
    this.#isLost ||= isLost;
    return isLost;
  }

  #named(statement: unknown): unknown {
    if (this.#isLost || typeof statement !== 'object' || statement === null || !('text' in statement)) return statement;
    const { text } = statement;
    if (typeof text !== 'string' || !text.startsWith('/* planned once */')) return statement;
    const name = this.#names.get(text) ?? `tranche_${sha256Hex(text).slice(0, 32)}`;
    this.#names.set(text, name);
    return { ...statement, name };
  }
}

/** A database or a transaction: verbs take this and never know which driver is below. */
export type Db = PgDatabase<NodePgQueryResultHKT, Record<string, never>>;
/** The handle inside `db.transaction(async (tx) => …)`. */
export type Tx = Db;

export interface Database {
  db: Db;
  close(): Promise<void>;
}

const HOSTED = /(\.neon\.tech|\.vercel-storage\.com)$/;

/** True for a host that is reached by WebSocket. */
export const isHostedDatabase = (url: string): boolean => HOSTED.test(new URL(url).hostname);

const POOL_SETTINGS = {
  connectionTimeoutMillis: 5_000,
  idleTimeoutMillis: 10_000,
  allowExitOnIdle: true,
  // A server that vanished without a word would keep a query waiting for good.
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
};

/**
 * Keeps a pool whole when the server drops a connection; the next query opens another. Idle, the pool tells of it; in
 * use, the connection itself does, and an error event that nobody hears would end the process. drizzle never gives a
 * connection back whose `begin` failed, and its place would be lost for good: it is given back here, and once only.
 */
function surviveDrops(pool: EventEmitter): void {
  const inUse = new WeakSet<PoolClient>();
  pool.on('error', () => undefined);
  pool.on('acquire', (client: PoolClient) => inUse.add(client));
  pool.on('release', (_error: unknown, client: PoolClient) => inUse.delete(client));
  pool.on('connect', (client: PoolClient) => {
    client.on('error', () => {
      if (!inUse.has(client)) return;
      const { release } = client;
      client.release = () => undefined;
      release(true);
    });
  });
}

/** The part of either driver's pool that drizzle sends single statements through. */
interface StatementPool {
  query: (...given: never[]) => unknown;
}

/**
 * The one place where work that Postgres gave up is tried again, for a deadlock or a lost prepared statement: whole
 * transactions, and single statements, which are transactions by themselves. A statement inside a transaction goes through a
 * connection of its own, and so does a savepoint: neither is ever tried again without the rest.
 */
function retryGivenUp<D extends Db>(db: D, pool: StatementPool, prepared?: PreparedStatements): D {
  const { query } = pool;
  const transaction = db.transaction.bind(db);
  const run = <T>(work: () => Promise<T>): Promise<T> =>
    retryLockConflicts(() => (prepared === undefined ? work() : prepared.send(work)));
  Object.assign(pool, {
    query: (...given: unknown[]): unknown => {
      const send = () => Reflect.apply(query, pool, given);
      if (typeof given.at(-1) === 'function') return send();
      return run(async () => send());
    },
  });
  const retried: Db['transaction'] = (work, config) => run(() => transaction(work, config));
  return Object.assign(db, { transaction: retried });
}

/**
 * Opens a pool. A Neon or Vercel host uses @vercel/postgres (WebSocket, transaction-mode pooling: no session state
 * between statements), any other the TCP driver; both speak through drizzle.
 */
export async function openDatabase(url: string, maxConnections: number): Promise<Database> {
  if (isHostedDatabase(url)) {
    const [{ createPool }, { drizzle }] = await Promise.all([
      import('@vercel/postgres'),
      import('drizzle-orm/vercel-postgres'),
    ]);
    const pool = createPool({ connectionString: url, max: maxConnections, ...POOL_SETTINGS });
    surviveDrops(pool);
    pool.on('connect', inLine);
    return { db: retryGivenUp(drizzle(pool, { casing: 'snake_case' }) as Db, pool), close: () => pool.end() };
  }
  const pool = new Pool({ connectionString: url, max: maxConnections, ...POOL_SETTINGS });
  const prepared = new PreparedStatements();
  surviveDrops(pool);
  pool.on('connect', (client) => {
    prepared.prepareOn(client);
    inLine(client);
  });
  return { db: retryGivenUp<Db>(drizzlePg(pool, { casing: 'snake_case' }), pool, prepared), close: () => pool.end() };
}

const shared = memoize(
  () => [env().POSTGRES_URL, env().POSTGRES_POOL_SIZE],
  () => openDatabase(env().POSTGRES_URL, env().POSTGRES_POOL_SIZE),
);

/** The process-wide pool, opened on first use. */
export async function database(): Promise<Db> {
  return (await shared.get()).db;
}
