import { inject } from 'vitest';
import { type Db, openDatabase } from '#lib/base/db.ts';
import { copyTemplate } from './postgres.ts';

export interface FreshDatabase {
  url: string;
  db: Db;
  /** Closes the pool and drops a database in memory. On a disk it stays: ext4 is slow to make files after many have gone. */
  close(): Promise<void>;
}

/** A migrated, empty database of the caller's own, in milliseconds. For projects whose globalSetup is `postgres.ts`. */
export async function freshDatabase({ maxConnections = 5 } = {}): Promise<FreshDatabase> {
  const { url, drop } = await copyTemplate(inject('postgresUrl'));
  const { db, close } = await openDatabase(url, maxConnections);
  return {
    url,
    db,
    async close() {
      await close();
      // Nobody waits for it. Where a test has left somebody connected, the database goes with its server.
      if (inject('postgresIsInMemory')) drop({ ifUnused: true }).catch(() => undefined);
    },
  };
}
