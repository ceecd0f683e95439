import { existsSync } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { PostgresFailure, startPostgres } from '../postgres/index.ts';
import { buildEnvironment } from './app-env.ts';
import { SandboxFailure } from './failure.ts';
import type { Layout } from './layout.ts';
import type { Supervisor } from './supervisor.ts';

const DATABASE = 'tranche';

/**
 * Starts a PostgreSQL with a new cluster and a migrated database and returns its URL. New at each start, because the
 * ledger stand-in is: rows about another ledger's payments would make the app stop, as it should.
 */
export async function startDatabase(layout: Layout, port: number, supervisor: Supervisor): Promise<string> {
  await mkdir(layout.logFolder, { recursive: true, mode: 0o700 });
  const logFile = path.join(layout.logFolder, 'postgres.log');
  const log = await open(logFile, 'w', 0o600);
  const stream = log.createWriteStream();
  try {
    const postgres = await supervisor.adopt(
      startPostgres({
        port,
        onLine: (line) => stream.write(`${line}\n`),
        onUnexpectedExit: () => supervisor.fail(new SandboxFailure(`PostgreSQL ended unexpectedly.\nLog: ${logFile}`)),
      }),
    );
    return await postgres.createDatabase(DATABASE);
  } catch (error) {
    throw error instanceof PostgresFailure ? new SandboxFailure(error.message, { cause: error }) : error;
  }
}

/** Brings a database to the app's schema. A project without a migration script has none to bring. */
export async function migrate(layout: Layout, postgresUrl: string, supervisor: Supervisor): Promise<void> {
  if (!existsSync(layout.migrateScript)) return;
  await supervisor.run({
    name: 'migrate',
    args: [layout.migrateScript],
    env: { ...buildEnvironment(), POSTGRES_URL: postgresUrl },
    cwd: layout.root,
  });
}
