import { randomBytes } from 'node:crypto';
import { Client, escapeIdentifier } from 'pg';
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

/** Makes a migrated, empty database on the server at `adminUrl`. */
export async function copyTemplate(adminUrl: string): Promise<Copy> {
  const name = `t_${randomBytes(8).toString('hex')}`;
  const execute = async (work: (client: Client) => Promise<unknown>) => {
    const client = new Client({ connectionString: adminUrl });
    await client.connect();
    await work(client).finally(() => client.end());
  };
  // By files: a small template is copied several times faster than through the write-ahead log. And by the kernel, where it
  // can: that takes half the time again.
  const copy = `CREATE DATABASE ${escapeIdentifier(name)} TEMPLATE ${escapeIdentifier(TEMPLATE)} STRATEGY FILE_COPY`;
  await execute((client) =>
    client
      .query('SET file_copy_method = clone')
      .then(() => client.query(copy))
      .catch(() => client.query('SET file_copy_method = copy').then(() => client.query(copy))),
  );
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: ({ ifUnused = false } = {}) =>
      execute((client) => client.query(`DROP DATABASE ${escapeIdentifier(name)}${ifUnused ? '' : ' WITH (FORCE)'}`)),
  };
}
