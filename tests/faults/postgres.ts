import path from 'node:path';
import { Client } from 'pg';
import { type Postgres, startPostgres } from '#sandbox/postgres/index.ts';
import { openRelay, type Relay } from '#tests/faults/relay.ts';

/** Stopped in order, or killed so that the next start has to recover from the log. */
export type RestartKind = 'restart' | 'crash';

/** One PostgreSQL server that can be restarted, with a relay before it that cuts connections. */
export interface RestartablePostgres {
  /** Administrative URL, past the relay. */
  url: string;
  relay: Relay;
  /** The URL of a database as the app is given it. */
  throughRelay(url: string): string;
  createDatabase(name: string): Promise<string>;
  restart(kind: RestartKind): Promise<void>;
  close(): Promise<void>;
}

const isGone = ({ pid }: Postgres): boolean => {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
};

/** `folder` takes the server's files, which outlive a restart. */
export async function startRestartable(folder: string): Promise<RestartablePostgres> {
  const dataDir = path.join(folder, 'postgres');
  let ended = Promise.withResolvers<void>();
  const start = (port: number): Promise<Postgres> =>
    startPostgres({ dataDir, port, fresh: port === 0, onUnexpectedExit: () => ended.resolve() });
  let server = await start(0);
  await settings(server.url);
  const relay = await openRelay(server.port);
  return {
    url: server.url,
    relay,
    throughRelay(url) {
      const through = new URL(url);
      through.port = String(relay.port);
      return through.href;
    },
    createDatabase: (name) => server.createDatabase(name),
    async restart(kind) {
      if (kind === 'crash' && !isGone(server)) {
        // The server ends its own processes at once and writes nothing more.
        process.kill(server.pid, 'SIGQUIT');
        await ended.promise;
      }
      ended = Promise.withResolvers<void>();
      await server.close();
      server = await start(server.port);
    },
    async close() {
      await relay.close();
      await server.close();
    },
  };
}

/**
 * A process that is stopped within a transaction holds its locks until the server cuts it off. What is committed is with the
 * operating system, so that a crash of the server loses nothing, as with a server that is set up for real use.
 */
async function settings(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`alter role current_user set idle_in_transaction_session_timeout = '1s'`);
  await client.query('alter role current_user set synchronous_commit = on');
  await client.end();
}
