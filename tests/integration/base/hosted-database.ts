import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { inject } from 'vitest';
import { type Db, openDatabase } from '#lib/base/db.ts';
import { type PostgresRelay, startPostgresRelay } from '#sandbox/postgres/relay.ts';
import { copyTemplate } from '#tests/support/postgres.ts';

/** The relay in front of each host. Nobody looks the hosts' names up; `openDatabase` takes them for hosted ones. */
const addressByHost = new Map<string, string>();

/** What the driver of the hosted database can be told (its CONFIG.md). */
interface NeonConfig {
  wsProxy: (host: string, port: number | string) => string;
  useSecureWebSocket: boolean;
  pipelineTLS: boolean;
  pipelineConnect: 'password' | false;
}

/** Settings of the very copy that @vercel/postgres imports: it bundles its own version. They hold for the process. */
async function driverSettings(): Promise<NeonConfig> {
  const ofVercel = createRequire(createRequire(import.meta.url).resolve('@vercel/postgres'));
  const driverFolder = path.dirname(ofVercel.resolve('@neondatabase/serverless'));
  const driver = (await import(pathToFileURL(path.join(driverFolder, 'index.mjs')).href)) as { neonConfig: NeonConfig };
  return driver.neonConfig;
}

export interface HostedDatabase {
  db: Db;
  relay: PostgresRelay;
  /** The same database by TCP. */
  directUrl: string;
  close(): Promise<void>;
}

/**
 * A migrated, empty database of the caller's own, opened by `openDatabase` as a hosted one is: @vercel/postgres over a
 * WebSocket, through a relay to the real server.
 */
export async function hostedDatabase({ maxConnections = 5 } = {}): Promise<HostedDatabase> {
  const { url: directUrl, drop } = await copyTemplate(inject('postgresUrl'));
  const hosted = new URL(directUrl);
  const relay = await startPostgresRelay({ target: { host: hosted.hostname, port: Number(hosted.port) } });
  hosted.hostname = `ep-${randomUUID()}-pooler.local.neon.tech`;
  hosted.port = '5432';
  hosted.searchParams.set('sslmode', 'require');
  addressByHost.set(hosted.hostname, relay.address);
  Object.assign(await driverSettings(), {
    wsProxy: (host) => addressByHost.get(host) ?? host,
    useSecureWebSocket: false,
    pipelineTLS: false,
    pipelineConnect: false,
  } satisfies NeonConfig);
  const { db, close } = await openDatabase(hosted.href, maxConnections);
  return {
    db,
    relay,
    directUrl,
    close: async () => {
      await close();
      await relay.close();
      await drop();
    },
  };
}
