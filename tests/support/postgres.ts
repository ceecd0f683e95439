import { randomBytes } from 'node:crypto';
import { escapeIdentifier, Pool } from 'pg';
import type { TestProject } from 'vitest/node';
import { migrateDatabase } from '#drizzle/migrate.ts';
import { startPostgres } from '#sandbox/postgres/index.ts';

/** The migrated database that the others are copies of. */
export const TEMPLATE = 'migrated';

declare module 'vitest' {
  interface ProvidedContext {
    /** Administrative URL of the server that all test files share. */
    postgresUrl: string;
    /** Whether its data are in memory: a database that is no longer needed must then go. */
    postgresIsInMemory: boolean;
  }
}

/** vitest globalSetup: one server for the run, with a migrated database to copy from. `freshDatabase()` does the copying. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Whether a table was analyzed would depend on how long a file takes, and a worker for each database, all the time, costs.
  const postgres = await startPostgres({ inMemory: true, settings: ['autovacuum=off'] });
  try {
    await migrateDatabase(await postgres.createDatabase(TEMPLATE));
  } catch (error) {
    await postgres.close();
    throw error;
  }
  project.provide('postgresUrl', postgres.url);
  project.provide('postgresIsInMemory', postgres.isInMemory);
  return () => postgres.close();
}

export interface Copy {
  url: string;
  /** Removes it and cuts its connections; with `ifUnused` it rather fails when there are any. */
  drop(options?: { ifUnused?: boolean }): Promise<void>;
}

/**
 * One connection a process to make databases on, and one to drop them on: a new one each time would cost as much as a small
 * copy. PostgreSQL waits 5 seconds for whoever is still connected before it gives up dropping: making the next goes on meanwhile.
 */
const [making, dropping] = [new Map<string, Pool>(), new Map<string, Pool>()];

async function administrate(
  administrators: Map<string, Pool>,
  adminUrl: string,
  ...statements: string[]
): Promise<void> {
  const pool = administrators.get(adminUrl) ?? new Pool({ connectionString: adminUrl, max: 1, allowExitOnIdle: true });
  // Its server may end before it does.
  if (!administrators.has(adminUrl)) pool.on('error', () => undefined);
  administrators.set(adminUrl, pool);
  const client = await pool.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    client.release();
  }
}

/** Makes a migrated, empty database on the server at `adminUrl`. */
export async function copyTemplate(adminUrl: string): Promise<Copy> {
  const name = `t_${randomBytes(8).toString('hex')}`;
  // By files: a small template is copied several times faster than through the write-ahead log. And by the kernel, where it
  // can: that takes half the time again.
  const copy = `CREATE DATABASE ${escapeIdentifier(name)} TEMPLATE ${escapeIdentifier(TEMPLATE)} STRATEGY FILE_COPY`;
  await administrate(making, adminUrl, 'SET file_copy_method = clone', copy).catch(() =>
    administrate(making, adminUrl, 'SET file_copy_method = copy', copy),
  );
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: ({ ifUnused = false } = {}) =>
      administrate(dropping, adminUrl, `DROP DATABASE ${escapeIdentifier(name)}${ifUnused ? '' : ' WITH (FORCE)'}`),
  };
}
