import { rm } from 'node:fs/promises';
import pg from 'pg';
import { unprivilegedAccount } from './account.ts';
import { findInstallation } from './binaries.ts';
import { type Cluster, clusterFolder, dataDirOf, memoryFolder, openCluster, SUPERUSER } from './cluster.ts';
import { PostgresFailure } from './failure.ts';
import { freePort } from './port.ts';
import { type Server, startServer } from './server.ts';
import { clearStaleLock } from './stale.ts';

export { PostgresFailure } from './failure.ts';

export type PostgresOptions = {
  /** 0 (the default) takes a free port. */
  port?: number;
  /** Folder of a cluster to keep and open again; without it the cluster is new and removed by `close`. */
  dataDir?: string;
  /** Throws away what `dataDir` holds. */
  fresh?: boolean;
  /** Keeps a new cluster in memory, if the machine has room for it there. The caller drops each database after use. */
  inMemory?: boolean;
  /** More settings of the server, as `name=value`. */
  settings?: readonly string[];
  /** Each line of the server's log. */
  onLine?: (line: string) => void;
  /** The server ended without `close` being called. */
  onUnexpectedExit?: () => void;
};

export type Postgres = {
  /** URL of the database `postgres`, with the superuser's name and password. */
  url: string;
  port: number;
  pid: number;
  /** Whether its data are in memory, as was asked for. */
  isInMemory: boolean;
  /** URL of a database on this server, existing or not. */
  databaseUrl(name: string): string;
  /** Makes a database (a copy of `template`, which must have no connections) and returns its URL. */
  createDatabase(name: string, options?: { template?: string }): Promise<string>;
  /** Removes a database if it exists, cutting its connections. */
  dropDatabase(name: string): Promise<void>;
  /** Stops the server and returns when its process has ended. May be called more than once. */
  close(): Promise<void>;
};

const PORT_ATTEMPTS = 3;

/**
 * Starts a PostgreSQL 18 server of its own on 127.0.0.1, with a random password and settings that trade durability for
 * speed. Works as root and as an ordinary user, from any folder, without a network. If this process is killed, the
 * server stops by itself.
 *
 * @throws PostgresFailure when it can not start: no binaries for the machine, port in use, data directory in use
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<Postgres> {
  const account = await unprivilegedAccount();
  const installation = await findInstallation(account);
  const memory = options.inMemory && options.dataDir === undefined ? await memoryFolder() : null;
  const folder = await clusterFolder(options.dataDir, account, installation, memory);
  const removeFolder = () => rm(folder, { recursive: true, force: true });
  try {
    await clearStaleLock(dataDirOf(folder));
    const cluster = await openCluster(folder, account, installation, options.fresh ?? false);
    const surroundings = { account, cwd: folder };
    const { server, port } = await startOnPort(options, (chosen) =>
      startServer(
        installation.postgres,
        { ...cluster, settings: options.settings ?? [] },
        chosen,
        surroundings,
        options.onLine ?? (() => {}),
      ),
    );
    const closeServer = watch(server, options.onUnexpectedExit);
    const close = async () => {
      await closeServer();
      if (options.dataDir === undefined) await removeFolder();
    };
    return { ...databases(cluster, port), port, isInMemory: memory !== null, pid: server.process.pid ?? 0, close };
  } catch (error) {
    if (options.dataDir === undefined) await removeFolder();
    throw error;
  }
}

async function startOnPort(options: PostgresOptions, start: (port: number) => Promise<Server>) {
  const wanted = options.port ?? 0;
  for (let attempt = 1; ; attempt++) {
    const port = wanted || (await freePort());
    try {
      return { server: await start(port), port };
    } catch (error) {
      const taken = error instanceof Error && error.message.includes('Address already in use');
      if (!taken) throw error;
      // Between finding a free port and using it another process may take it; a port asked for by number stays asked for.
      if (wanted || attempt === PORT_ATTEMPTS) {
        throw new PostgresFailure(`Port ${port} on 127.0.0.1 is in use, PostgreSQL can not listen there.`, {
          cause: error,
        });
      }
    }
  }
}

function watch(server: Server, onUnexpectedExit: (() => void) | undefined): () => Promise<void> {
  let closing: Promise<void> | undefined;
  server.process.once('exit', () => {
    if (!closing) onUnexpectedExit?.();
  });
  return () => {
    closing ??= server.stop();
    return closing;
  };
}

function databases(cluster: Cluster, port: number) {
  const databaseUrl = (name: string) =>
    `postgres://${SUPERUSER}:${cluster.password}@127.0.0.1:${port}/${encodeURIComponent(name)}`;
  const url = databaseUrl('postgres');
  const execute = async (sql: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  return {
    url,
    databaseUrl,
    createDatabase: async (name: string, { template }: { template?: string } = {}) => {
      const copyOf = template ? ` TEMPLATE ${pg.escapeIdentifier(template)}` : '';
      await execute(`CREATE DATABASE ${pg.escapeIdentifier(name)}${copyOf}`);
      return databaseUrl(name);
    },
    dropDatabase: (name: string) => execute(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`),
  };
}
